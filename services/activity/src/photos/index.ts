export { keptPhotoSql, largestSize, photoKey, uploadKey } from './photo.ts';
export { attachPhoto, discardPhotoOf } from './photos.store.ts';
export { StoredFiles, uploadSeconds } from './stored-files.client.ts';
export { type Begun, Uploads } from './uploads.service.ts';
