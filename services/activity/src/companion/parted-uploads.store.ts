import type { Tx } from '@caravan/event-store/core/event-store';

export type PartedUploadRef = {
  readonly orgId: string;
  readonly userId: string;
  readonly uploadId: string;
  /** S3's. */
  readonly multipartId: string;
};

const whose = 'org_id = $1 and user_id = $2 and upload_id = $3';
const isOpen = 'photo_id is null and discarded_at is null';
const valuesOf = ({ orgId, userId, uploadId, multipartId }: PartedUploadRef) => [orgId, userId, uploadId, multipartId];

/** False when the upload is gone, since its member was erased. */
export async function bindUpload(tx: Tx, upload: PartedUploadRef): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update uploads set multipart_id = $4 where ${whose} and multipart_id is null and ${isOpen}`,
    valuesOf(upload),
  );
  return rowCount === 1;
}

export async function isBound(tx: Tx, upload: PartedUploadRef): Promise<boolean> {
  const { rowCount } = await tx.query(
    `select from uploads where ${whose} and multipart_id = $4 and ${isOpen}`,
    valuesOf(upload),
  );
  return rowCount === 1;
}

/** The clean-up looks once more whether anything of it is left. */
export async function discardUpload(tx: Tx, upload: PartedUploadRef, at: Date): Promise<void> {
  await tx.query(`update uploads set discarded_at = $5 where ${whose} and multipart_id = $4 and ${isOpen}`, [
    ...valuesOf(upload),
    at,
  ]);
}
