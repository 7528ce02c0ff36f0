import type { Body, Meta, UppyFile } from '@uppy/core';
import type { ArrivedParts } from '@caravan/contracts/http/companion';
import {
  abortPartedUpload,
  beginPartedUpload,
  completePartedUpload,
  listArrivedParts,
  signPart,
} from '../../lib/api/generated/sdk.gen.ts';
import { persistently } from '../../lib/persistent.ts';

export type PhotoMeta = Meta & {
  alt?: string;
  /** Where the file was sent, without what signed it: by that the server knows it. */
  photoURL?: string;
};
type Photo = UppyFile<PhotoMeta, Body>;
type Signalled = { readonly signal?: AbortSignal | undefined };
/** The panel names no upload before one has begun. */
type Named = Signalled & { readonly key: string; readonly uploadId?: string };
type Refusing = (error: unknown) => unknown;

const never = new AbortController().signal;
const at = ({ key, uploadId = '' }: Named) => ({ path: { uploadId }, query: { key } });

/** The panel's calls for a file that goes up in parts (7.36): with our bearer, which is renewed when it is worn. */
export function partedCalls(inWords: Refusing) {
  const ask = async <Answer>(call: () => Promise<Answer>, signal = never): Promise<Answer> => {
    try {
      return await persistently(call, signal);
    } catch (error) {
      throw inWords(error);
    }
  };
  return {
    createMultipartUpload: ({ name, type, size }: Photo) =>
      ask(() => beginPartedUpload({ body: { filename: name, type, ...(size !== null && { size }) } })),
    listParts: (_file: Photo, named: Named): Promise<ArrivedParts> =>
      ask(() => listArrivedParts(at(named)), named.signal),
    signPart: (_file: Photo, { partNumber, ...named }: Named & { partNumber: number }) => {
      const { path, query } = at(named);
      return ask(() => signPart({ path: { ...path, partNumber: String(partNumber) }, query }), named.signal);
    },
    completeMultipartUpload: (_file: Photo, { parts, ...named }: Named & { parts: Part[] }) => {
      const arrived = parts.map(({ PartNumber = 0, ETag = '' }) => ({ PartNumber, ETag }));
      return ask(() => completePartedUpload({ ...at(named), body: { parts: arrived } }), named.signal);
    },
    abortMultipartUpload: async (_file: Photo, named: Named): Promise<void> => {
      // What stays is thrown away in a day.
      await abortPartedUpload(at(named)).catch(() => undefined);
    },
  };
}

type Part = { readonly PartNumber?: number; readonly ETag?: string };
