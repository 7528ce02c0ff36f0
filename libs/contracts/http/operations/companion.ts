import * as companion from '../companion.ts';
import { list } from './operation.ts';

const multipart = '/companion/s3/multipart';
const common = { service: 'activity', access: 'member' } as const;
const noLinks = { 404: 'The instance fetches nothing (PHOTO_LINKS).' };
const noSuch = { 400: 'No key, or no number of a part.', 404: 'No such upload of one’s own.' };

export const companionOperations = list({
  readUploadParameters: {
    ...common,
    method: 'get',
    path: '/companion/s3/params',
    storesSomething: true,
    summary: 'The upload panel: where a file is to be sent whole.',
    query: companion.uploadParametersQuerySchema,
    answers: { 200: companion.uploadParametersSchema },
    refusals: { 429: 'Thirty photos an hour is the most; see Retry-After.' },
  },
  beginPartedUpload: {
    ...common,
    method: 'post',
    path: multipart,
    summary: 'The upload panel: begin a file that is sent in parts. Its key is the server’s.',
    body: companion.partedUploadRequestSchema,
    answers: { 200: companion.partedUploadSchema },
    refusals: { 429: 'Thirty photos an hour is the most; see Retry-After.' },
  },
  listArrivedParts: {
    ...common,
    method: 'get',
    path: `${multipart}/{uploadId}`,
    summary: 'The upload panel: which parts have arrived.',
    query: companion.ofKeySchema,
    answers: { 200: companion.arrivedPartsSchema },
    refusals: noSuch,
  },
  signParts: {
    ...common,
    method: 'get',
    path: `${multipart}/{uploadId}/batch`,
    summary: 'The upload panel: where several parts are to be sent.',
    query: companion.partsOfKeySchema,
    answers: { 200: companion.signedPartsSchema },
    refusals: { ...noSuch, 413: 'No photo has so many parts.' },
  },
  signPart: {
    ...common,
    method: 'get',
    path: `${multipart}/{uploadId}/{partNumber}`,
    summary: 'The upload panel: where a part is to be sent.',
    query: companion.ofKeySchema,
    answers: { 200: companion.signedPartSchema },
    refusals: { ...noSuch, 413: 'No photo has so many parts.' },
  },
  completePartedUpload: {
    ...common,
    method: 'post',
    path: `${multipart}/{uploadId}/complete`,
    summary: 'The upload panel: all parts have arrived. The file is then registered like any other.',
    query: companion.ofKeySchema,
    body: companion.completeRequestSchema,
    answers: { 200: companion.completedUploadSchema },
    refusals: { ...noSuch, 413: 'More than 10 MB have arrived; all of it is gone again.' },
  },
  abortPartedUpload: {
    ...common,
    method: 'delete',
    path: `${multipart}/{uploadId}`,
    summary: 'The upload panel: give up, and throw away what has arrived.',
    query: companion.ofKeySchema,
    answers: { 200: companion.abortedUploadSchema },
    refusals: noSuch,
  },
  readPhotoSources: {
    ...common,
    method: 'get',
    path: '/companion/sources',
    summary: 'The upload panel: where photos may come from besides the device.',
    answers: { 200: companion.photoSourcesSchema },
  },
  readLinkedFile: {
    ...common,
    method: 'post',
    path: '/companion/url/meta',
    summary: 'The upload panel: what lies at an address of the open internet.',
    body: companion.linkRequestSchema,
    answers: { 200: companion.linkedFileSchema },
    refusals: { ...noLinks, 429: 'Ninety addresses an hour is the most; see Retry-After.' },
  },
  importLinkedFile: {
    ...common,
    method: 'post',
    path: '/companion/url/get',
    summary: 'The upload panel: have a photo fetched. It is while the socket /companion/api/{token} is open.',
    body: companion.linkRequestSchema,
    answers: { 200: companion.linkImportSchema },
    refusals: { ...noLinks, 429: 'Thirty photos an hour is the most; see Retry-After.' },
  },
});
