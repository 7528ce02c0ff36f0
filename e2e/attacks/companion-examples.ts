import { signedPartSchema } from '@caravan/contracts/http/companion';
import { operations } from '@caravan/contracts/http/operations';
import { type Examples, fresh } from './example.ts';
import { target } from '../env.ts';
import { aboutPicture, ownPhoto, partedUpload } from './photos.ts';
import { send, type Sender } from './send.ts';

async function ofOwn(by: Sender) {
  const { key, uploadId } = await partedUpload(by);
  return { path: { uploadId }, query: { key } };
}

async function sendFile(by: Sender) {
  const call = await ofOwn(by);
  const named = { path: { ...call.path, partNumber: '1' }, query: call.query };
  const { url } = signedPartSchema.parse((await send(operations.signPart, named, by)).json);
  const { status, headers } = await fetch(url, { method: 'PUT', body: 'a part' });
  if (status !== 200) throw new Error(`a part was answered ${status}`);
  return { ...call, body: { parts: [{ PartNumber: 1, ETag: headers.get('etag') ?? '' }] } };
}

/** Somewhere a picture lies: a run of the journeys fetches from itself. */
const linkOf = async (by: Sender) => ({ body: { url: `${target().url}${(await ownPhoto(by)).previewUrl}` } });

const names: NonNullable<Examples['signPart']>['names'] = {
  'path.uploadId': { of: ({ parted }) => parted.uploadId },
  'query.key': { of: ({ parted }) => parted.key },
};

/** Thirty an hour are fewer than all that is tried. */
export const companionExamples = {
  readUploadParameters: { by: fresh, call: () => ({ query: aboutPicture }) },
  beginPartedUpload: { by: fresh, call: () => ({ body: aboutPicture }) },
  listArrivedParts: { by: fresh, after: ofOwn, names },
  signParts: {
    by: fresh,
    after: async (person) => {
      const { path, query } = await ofOwn(person);
      return { path, query: { ...query, partNumbers: '1,2' } };
    },
    names,
  },
  signPart: {
    by: fresh,
    after: async (person) => {
      const { path, query } = await ofOwn(person);
      return { path: { ...path, partNumber: '1' }, query };
    },
    names: { ...names, 'path.partNumber': { of: () => '2' } },
  },
  completePartedUpload: { by: fresh, after: sendFile, names },
  readPhotoSources: {},
  readLinkedFile: { by: fresh, after: linkOf },
  importLinkedFile: { by: fresh, after: linkOf },
  abortPartedUpload: { by: fresh, after: ofOwn, names },
} satisfies Examples;
