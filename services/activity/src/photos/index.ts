export { keptPhotoSql, largestSize, photoKey } from './photo.ts';
export { attachPhoto, discardPhotoOf } from './photos.store.ts';
