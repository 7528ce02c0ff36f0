import type { OwnLog } from '@caravan/contracts/http/movement';
import type { CorrectLogData } from '../../lib/api/generated/types.gen.ts';
import { type FormPhoto, goneOf } from '../../lib/photos.ts';

/** What the form holds of a log: text, as fields have it, and its photo. */
export type Draft = {
  activityType: string;
  minutes: string;
  startedAt: string;
  caption: string;
  perceivedEffort: number | undefined;
  photo: FormPhoto | null;
};

const changeableMilliseconds = 7 * 86_400_000;

/** A log can be corrected and deleted for 7 days after it was made (D8). */
export const isChangeable = (log: OwnLog, now: number): boolean =>
  now - new Date(log.createdAt).getTime() < changeableMilliseconds;

/** @param inField how a date-and-time field writes an instant */
export const draftOf = (log: OwnLog, inField: (at: string) => string): Draft => ({
  activityType: log.activityType,
  minutes: String(log.durationMinutes),
  startedAt: inField(log.startedAt),
  caption: log.caption ?? '',
  perceivedEffort: log.perceivedEffort ?? undefined,
  photo: photoOf(log),
});

function photoOf({ photoPath, photoUrl, photo }: OwnLog): FormPhoto | null {
  if (photoPath === null) return null;
  const size = photo && { width: photo.width, height: photo.height };
  return { objectPath: photoPath, previewUrl: photoUrl ?? '', alt: photo?.alt ?? null, ...size };
}

/** One that is gone changes nothing: the log keeps what it has. */
const isOtherPhoto = (before: Draft, { photo }: Draft): boolean =>
  photo?.objectPath !== before.photo?.objectPath && photo?.isGone !== true;

/** The photo that was chosen is gone; the log's own it cannot be. */
export const withoutChosenPhoto = (before: Draft, after: Draft): Draft =>
  after.photo && isOtherPhoto(before, after) ? { ...after, photo: goneOf(after.photo) } : after;

/** Only what differs is sent: the seconds of a start that nobody touched stay as they were. */
export function correctionOf(
  before: Draft,
  after: Draft,
  ofField: (field: string) => string | undefined,
): CorrectLogData['body'] {
  const startedAt = after.startedAt === before.startedAt ? undefined : ofField(after.startedAt);
  return {
    ...(after.activityType !== before.activityType && { activityType: after.activityType }),
    ...(after.minutes !== before.minutes && { durationMinutes: Number(after.minutes) }),
    ...(startedAt !== undefined && { startedAt }),
    ...(after.perceivedEffort !== before.perceivedEffort && { perceivedEffort: after.perceivedEffort ?? null }),
    ...(isOtherPhoto(before, after) && { photoPath: after.photo?.objectPath ?? null }),
    ...(after.caption !== before.caption && { photoPrompt: after.caption.trim() === '' ? null : after.caption }),
  };
}
