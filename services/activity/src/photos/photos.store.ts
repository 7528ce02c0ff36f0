import type { PersonUnit, Tx } from '@caravan/event-store/core/event-store';
import { Rejected } from '@caravan/kernel/rejected';
import { photoWords } from '@caravan/contracts/http/photos';
import { type KeptPhoto, photoIdOf } from '@caravan/service-kit/storage/photo-address';
import { keptPhotoSql, type PhotoRef, type Pixels, type UploadRefusal } from './photo.ts';

export type Owner = { readonly orgId: string; readonly userId: string };

export type Upload = {
  readonly sizeBytes: number | null;
  readonly photoId: string | null;
  readonly refusal: UploadRefusal | null;
};

/** False while this service has not heard of the member. Whoever erases the member waits for this. */
export async function beginUpload(
  tx: Tx,
  { orgId, userId }: Owner,
  { uploadId, sizeBytes, at }: { readonly uploadId: string; readonly sizeBytes: number | null; readonly at: Date },
): Promise<boolean> {
  await tx.query('select es.lock_keys($1)', [[userId]]);
  const { rowCount } = await tx.query(
    `insert into uploads (org_id, upload_id, user_id, size_bytes, started_at)
     select org_id, $3, user_id, $4, $5 from members where org_id = $1 and user_id = $2`,
    [orgId, userId, uploadId, sizeBytes, at],
  );
  return rowCount === 1;
}

/** One's own; undefined for everybody else's and for none. */
export async function uploadOf(tx: Tx, { orgId, userId }: Owner, uploadId: string): Promise<Upload | undefined> {
  const { rows } = await tx.query<Upload>(
    `select size_bytes, photo_id, refusal from uploads
     where org_id = $1 and upload_id = $2 and user_id = $3 and discarded_at is null`,
    [orgId, uploadId, userId],
  );
  return rows[0];
}

export async function refuseUpload(tx: Tx, { orgId }: Owner, uploadId: string, refusal: UploadRefusal): Promise<void> {
  await tx.query('update uploads set refusal = $3 where org_id = $1 and upload_id = $2 and photo_id is null', [
    orgId,
    uploadId,
    refusal,
  ]);
}

export type Draft = Pixels & { readonly photoId: string; readonly thumbHash: string; readonly alt: string | null };

/** Before its object is there, so that no object is without a row. */
export async function draftPhoto(tx: Tx, { orgId, userId }: Owner, draft: Draft, at: Date): Promise<void> {
  const { photoId, width, height, thumbHash, alt } = draft;
  await tx.query(
    `insert into photos (org_id, photo_id, user_id, width, height, thumb_hash, alt, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [orgId, photoId, userId, width, height, thumbHash, alt, at],
  );
}

export type Finished = {
  readonly uploadId: string;
  readonly photoId: string;
  /** Its smaller sizes are kept too. */
  readonly isSized: boolean;
  readonly at: Date;
};

/** Of two that are made of one upload the first counts, and the other is discarded. Undefined when the upload is gone. */
export async function registerDraft(
  tx: Tx,
  { orgId, userId }: Owner,
  { uploadId, photoId, isSized, at }: Finished,
): Promise<KeptPhoto | undefined> {
  await tx.query('select es.lock_keys($1)', [[userId]]);
  await tx.query(
    `update uploads set photo_id = $4
     where org_id = $1 and upload_id = $2 and user_id = $3 and photo_id is null and discarded_at is null`,
    [orgId, uploadId, userId, photoId],
  );
  const counts = `exists (select from uploads u
    where u.org_id = p.org_id and u.upload_id = $3 and u.photo_id = p.photo_id and u.discarded_at is null)`;
  await tx.query(
    `update photos p set registered_at = case when ${counts} then $4::timestamptz end,
       discarded_at = case when not ${counts} then $4::timestamptz end,
       sized_at = case when $5 then $4::timestamptz end
     where org_id = $1 and photo_id = $2 and discarded_at is null`,
    [orgId, photoId, uploadId, at, isSized],
  );
  return photoOfUpload(tx, { orgId, userId }, uploadId);
}

export async function photoOfUpload(
  tx: Tx,
  { orgId, userId }: Owner,
  uploadId: string,
): Promise<KeptPhoto | undefined> {
  const { rows } = await tx.query<{ photo: KeptPhoto }>(
    `select ${keptPhotoSql} as photo from uploads u join photos p on (p.org_id, p.photo_id) = (u.org_id, u.photo_id)
     where u.org_id = $1 and u.upload_id = $2 and u.user_id = $3 and p.discarded_at is null`,
    [orgId, uploadId, userId],
  );
  return rows[0]?.photo;
}

const ownSql =
  'p.org_id = $1 and p.photo_id = $2 and p.user_id = $3 and p.registered_at is not null and p.discarded_at is null';

/** Once and for one log. Throws `Rejected`: not-found unless it is one's own, conflict when it is used. */
export async function attachPhoto({ tx, meta }: PersonUnit, logId: string, objectPath: string): Promise<KeptPhoto> {
  const owner = { orgId: meta.orgId, userId: meta.key.id };
  const photoId = photoIdOf(objectPath);
  const { rows } = await tx.query<{ photo: KeptPhoto }>(
    `update photos p set log_id = $4 where ${ownSql} and log_id is null and chosen_at is null
     returning ${keptPhotoSql} as photo`,
    [owner.orgId, photoId, owner.userId, logId],
  );
  return rows[0]?.photo ?? (await refuse(tx, owner, photoId));
}

/** As one's picture, however often. Throws like `attachPhoto`. */
export async function choosePhoto(tx: Tx, owner: Owner, objectPath: string, at: Date): Promise<void> {
  const photoId = photoIdOf(objectPath);
  const { rowCount } = await tx.query(
    `update photos p set chosen_at = coalesce(chosen_at, $4) where ${ownSql} and log_id is null`,
    [owner.orgId, photoId, owner.userId, at],
  );
  if (rowCount === 0) await refuse(tx, owner, photoId);
}

async function refuse(tx: Tx, { orgId, userId }: Owner, photoId: string | null): Promise<never> {
  const { rowCount } = await tx.query(`select from photos p where ${ownSql}`, [orgId, photoId, userId]);
  if (rowCount === 0) throw new Rejected('photo/not-found', 'not-found', photoWords.noPhoto);
  throw new Rejected('photo/used', 'conflict', photoWords.used);
}

/** What a log had is nobody's any more: its objects follow. */
export async function discardPhotoOf({ tx, meta }: PersonUnit, logId: string): Promise<void> {
  await tx.query('update photos set log_id = null, alt = null, discarded_at = $3 where org_id = $1 and log_id = $2', [
    meta.orgId,
    logId,
    meta.at,
  ]);
}

/** Undefined when its smaller sizes are kept already, or when it was discarded. */
export async function unsizedPixelsOf(tx: Tx, { orgId, photoId }: PhotoRef): Promise<Pixels | undefined> {
  const { rows } = await tx.query<Pixels>(
    `select width, height from photos where org_id = $1 and photo_id = $2
           and registered_at is not null and sized_at is null and discarded_at is null`,
    [orgId, photoId],
  );
  return rows[0];
}

/** False when it was discarded meanwhile. */
export async function markSized(tx: Tx, { orgId, photoId }: PhotoRef): Promise<boolean> {
  const { rowCount } = await tx.query(
    'update photos set sized_at = now() where org_id = $1 and photo_id = $2 and discarded_at is null',
    [orgId, photoId],
  );
  return rowCount === 1;
}
