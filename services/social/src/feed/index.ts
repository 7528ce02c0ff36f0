export { type Change, ChangedEntries } from './changed-entries.client.ts';
export { authorOfPost } from './feed.query.ts';
export { faceOf, photoOf, type PostPhoto, type Signing, withFace } from './shown-photo.ts';
export { commentCountSql, entrySql, isCommentManagedSql, isCommentVisibleSql } from './visible.ts';
