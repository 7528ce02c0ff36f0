import type { IncomingMessage } from 'node:http';
import { mostPhotoBytes, photoWords } from '@caravan/contracts/http/photos';
import { Rejected } from '@caravan/kernel/rejected';
import { objectsPath, sizeParameter } from '@caravan/service-kit/storage/storage-address';
import type { UploadAddresses } from '@caravan/service-kit/storage/upload-address';

const part = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
export const uploadsPath = `${objectsPath}/incoming`;
const uploadPath = new RegExp(`^${objectsPath}(/incoming/${part}/(${part})/${part})$`);

/** Any other one means another operation of S3. */
const parameters = new Set(
  [
    'X-Amz-Algorithm',
    'X-Amz-Content-Sha256',
    'X-Amz-Credential',
    'X-Amz-Date',
    'X-Amz-Expires',
    'X-Amz-Security-Token',
    'X-Amz-Signature',
    'X-Amz-SignedHeaders',
    'x-amz-checksum-crc32',
    'x-amz-sdk-checksum-algorithm',
    'x-id',
    'partNumber',
    'uploadId',
    sizeParameter,
  ].map((name) => name.toLowerCase()),
);

/** An upload whose address a service gave out for its member. */
export type SignedUpload = {
  /** Below the bucket, with the query that the storage verifies. */
  readonly path: string;
  readonly userId: string;
  readonly expiresAt: number;
  readonly announcedBytes: number | undefined;
};

/** Reads the address alone. Throws `Rejected`: not-found, and forbidden for an address that no service signed. */
export function readSignedUpload(addresses: UploadAddresses, { url = '' }: IncomingMessage): SignedUpload {
  const [path = ''] = url.split('?', 1);
  const [, key, userId] = uploadPath.exec(path) ?? [];
  if (key === undefined || userId === undefined) throw new Rejected('request/not-found', 'not-found', 'Not found');
  const signed = addresses.verify(url);
  if (signed === undefined) throw new NotSigned();
  const query = signed.slice(path.length + 1);
  const given = new URLSearchParams(query);
  for (const name of given.keys()) if (!parameters.has(name.toLowerCase())) throw new NotSigned();
  const expiresAt = expiryOf(given);
  if (Number.isNaN(expiresAt)) throw new NotSigned();
  const announced = given.get(sizeParameter);
  return {
    path: `${key}?${query}`,
    userId,
    expiresAt,
    announcedBytes: announced === null ? undefined : Number(announced),
  };
}

/** Returns the size of the file. Throws `Rejected`. */
export function sizeOf({ announcedBytes }: SignedUpload, { headers }: IncomingMessage): number {
  const length = headers['content-length'];
  if (length === undefined)
    throw new Rejected('upload/no-length', 'no-length', 'Say in Content-Length how large the file is');
  const bytes = Number(length);
  if (bytes > mostPhotoBytes) throw new Rejected('upload/too-large', 'too-large', photoWords.tooLarge);
  if (announcedBytes !== undefined && announcedBytes !== bytes)
    throw new Rejected('upload/other-size', 'too-large', `This address takes a file of ${announcedBytes} bytes`);
  return bytes;
}

/** Milliseconds since 1970; NaN when the address does not say it as S3 does. */
function expiryOf(given: URLSearchParams): number {
  const [, year, month, day, hour, minute, second] =
    /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(given.get('X-Amz-Date') ?? '') ?? [];
  const seconds = Number(given.get('X-Amz-Expires') ?? Number.NaN);
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`) + seconds * 1_000;
}

export class NotSigned extends Rejected {
  constructor() {
    super('upload/not-signed', 'forbidden', 'Files are sent to an address that was given for them, as it was given');
  }
}
