import type { Body } from '@uppy/core';
import Url from '@uppy/url';
import { importLinkedFile, readLinkedFile } from '../../lib/api/generated/sdk.gen.ts';
import { HttpError } from '../../lib/http-error.ts';
import type { PhotoMeta } from './parted-upload.client.ts';
import { inWords, type Uploader } from './upload.client.ts';

type Asked = { readonly path: string; readonly data?: unknown; readonly signal?: AbortSignal };

/** Adds the panel's tab for a photo of another site, which the server fetches (7.37). */
export function addLinkSource(uploader: Uploader): void {
  uploader.use(Url<PhotoMeta, Body>, { companionUrl: `${location.origin}/companion` });
  const { client } = uploader.getPlugin('Url') as Url<PhotoMeta, Body>;
  const ask = async ({ path, data, signal }: Asked): Promise<object> => {
    const { url } = data as { url: string };
    const call = { body: { url }, ...(signal && { signal }) };
    try {
      return await (path.endsWith('/meta') ? readLinkedFile(call) : importLinkedFile(call));
    } catch (error) {
      throw refusalOf(uploader, error);
    }
  };
  // With our bearer, which is renewed when it is worn.
  Object.assign(client, { request: ask });
}

/** In a form by which Uppy knows what is worth another try. */
function refusalOf(uploader: Uploader, error: unknown): unknown {
  if (!(error instanceof HttpError)) return error;
  const said = inWords(uploader, error);
  const message = said instanceof Error ? said.message : '';
  const cause = Object.assign(new Error(message), { name: 'HttpError', statusCode: error.status });
  return Object.assign(new Error(message), { cause });
}
