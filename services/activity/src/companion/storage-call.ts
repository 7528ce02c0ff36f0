import { type ArrivedParts, companionWords, mostParts } from '@caravan/contracts/http/companion';
import { mostPhotoBytes } from '@caravan/contracts/http/photos';
import { Rejected } from '@caravan/kernel/rejected';
import type { z } from 'zod';

const uuid = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
const uploadKeys = new RegExp(`^incoming/${uuid}/${uuid}/(${uuid})$`);

export const uploadIdIn = (key: string): string | undefined => uploadKeys.exec(key)?.[1];

type Addressed = { readonly key: string; readonly multipartId: string };

/** Companion's path of a call. */
export const callOf = ({ key, multipartId }: Addressed, rest = ''): string =>
  `multipart/${encodeURIComponent(multipartId)}${rest}?key=${encodeURIComponent(key)}`;

/** Throws `Rejected`. */
export function partNumberOf(text: string): number {
  if (text === '') throw new Rejected('companion/no-part', 'malformed', companionWords.cannotSign);
  const number = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (number < 1 || number > 10_000) throw new Rejected('companion/no-part', 'malformed', companionWords.partNumber);
  if (number > mostParts) throw tooLarge();
  return number;
}

export const isTooMuch = (arrived: ArrivedParts): boolean =>
  arrived.reduce((sum, { Size }) => sum + Size, 0) > mostPhotoBytes;

export const tooLarge = () => new Rejected('upload/too-large', 'too-large', companionWords.tooLarge);
export const noUpload = () => new Rejected('upload/not-found', 'not-found', companionWords.noUpload);
const notTaken = () => new Rejected('companion/other-parts', 'malformed', companionWords.parts);

/** What Companion says is S3's word, or that S3 does not answer. Throws `Rejected`. */
export function answerOf<Schema extends z.ZodType>(
  schema: Schema,
  { status, body }: { readonly status: number; readonly body: unknown },
): z.infer<Schema> {
  if (status < 300) return schema.parse(body);
  if (status === 404) throw noUpload();
  if (status === 400 || status === 409) throw notTaken();
  throw new Rejected('storage/unavailable', 'unavailable', companionWords.unavailable, {
    retryAfterSeconds: 5,
  });
}

/** What S3 has no more may be over. */
export const ifGone =
  <Value>(value: Value) =>
  (error: unknown): Value => {
    if (error instanceof Rejected && error.kind === 'not-found') return value;
    throw error;
  };
