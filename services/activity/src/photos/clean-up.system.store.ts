import { withSystem } from '@caravan/event-store/postgres/connections';
import type { Pool } from '@caravan/service-kit/storage/pool';
import { type PhotoRef, waits } from './photo.ts';

export type UploadRef = {
  readonly orgId: string;
  readonly userId: string;
  readonly uploadId: string;
  /** S3's, of what is sent in parts. */
  readonly multipartId: string | null;
};

/** `isLast`: nobody can write its objects any more, so that the row may go with them. */
export type Discarded<Ref> = Ref & { readonly isLast: boolean };

const atOnce = 500;
const before = (at: Date, seconds: number): Date => new Date(at.getTime() - seconds * 1_000);

/** Discards uploads and photos that were unused for too long, and pictures that are shown no more. */
export function discardOver(pool: Pool, at: Date): Promise<void> {
  return withSystem(pool, async (tx) => {
    await tx.query('update uploads set discarded_at = $1 where discarded_at is null and started_at < $2', [
      at,
      before(at, waits.unused),
    ]);
    const isShown = `exists (
      select from members m where m.org_id = p.org_id and m.user_id = p.user_id and m.photo_id = p.photo_id)`;
    await tx.query(
      `update photos p set was_shown = true
       where log_id is null and discarded_at is null and chosen_at is not null and not was_shown and ${isShown}`,
    );
    await tx.query(
      `update photos p set discarded_at = $1, alt = null where log_id is null and discarded_at is null and (
         registered_at is null and created_at < $2
         or registered_at is not null and chosen_at is null and created_at < $3
         or chosen_at is not null and (was_shown or chosen_at < $4) and not ${isShown})`,
      [at, before(at, waits.drafted), before(at, waits.unused), before(at, waits.chosen)],
    );
  });
}

const dueSql = `(file_deleted_at is null or discarded_at < $1)`;

export function discardedUploads(pool: Pool, at: Date, resting: readonly string[]): Promise<Discarded<UploadRef>[]> {
  return withSystem(pool, async (tx) => {
    const { rows } = await tx.query<Discarded<UploadRef>>(
      `select org_id, user_id, upload_id,
         multipart_id, discarded_at < $1 as is_last
       from uploads where discarded_at is not null and ${dueSql} and upload_id::text <> all($2::text[])
       order by discarded_at limit ${atOnce}`,
      [before(at, waits.discarded), resting],
    );
    return rows;
  });
}

export function discardedPhotos(pool: Pool, at: Date, resting: readonly string[]): Promise<Discarded<PhotoRef>[]> {
  return withSystem(pool, async (tx) => {
    const { rows } = await tx.query<Discarded<PhotoRef>>(
      `select org_id, photo_id, discarded_at < $1 as is_last
       from photos where discarded_at is not null and ${dueSql} and photo_id::text <> all($2::text[])
       order by discarded_at limit ${atOnce}`,
      [before(at, waits.discarded), resting],
    );
    return rows;
  });
}

export function forgetUpload(pool: Pool, { orgId, uploadId, isLast }: Discarded<UploadRef>, at: Date): Promise<void> {
  return withSystem(pool, async (tx) => {
    if (isLast) await tx.query('delete from uploads where org_id = $1 and upload_id = $2', [orgId, uploadId]);
    else
      await tx.query('update uploads set file_deleted_at = $3 where org_id = $1 and upload_id = $2', [
        orgId,
        uploadId,
        at,
      ]);
  });
}

export function forgetPhoto(pool: Pool, { orgId, photoId, isLast }: Discarded<PhotoRef>, at: Date): Promise<void> {
  return withSystem(pool, async (tx) => {
    if (isLast) await tx.query('delete from photos where org_id = $1 and photo_id = $2', [orgId, photoId]);
    else
      await tx.query('update photos set file_deleted_at = $3 where org_id = $1 and photo_id = $2', [
        orgId,
        photoId,
        at,
      ]);
  });
}

/** Photos whose smaller sizes could not be kept, and whose job was lost. */
export function unsizedPhotos(pool: Pool, at: Date): Promise<PhotoRef[]> {
  return withSystem(pool, async (tx) => {
    const { rows } = await tx.query<PhotoRef>(
      `select org_id, photo_id from photos
       where registered_at < $1 and sized_at is null and discarded_at is null order by created_at limit ${atOnce}`,
      [before(at, waits.unsized)],
    );
    return rows;
  });
}
