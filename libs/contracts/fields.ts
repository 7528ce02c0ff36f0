import { z } from 'zod';

/** A calendar date without a zone, YYYY-MM-DD. */
export const localDateSchema = z.iso.date();

/** An IANA time zone such as Europe/Berlin. */
export const timeZoneSchema = z.string().max(64).refine(isTimeZone, 'Unknown time zone');

/** Whole minutes, 1 to 1,440 (D6). */
export const durationMinutesSchema = z.number().int().min(1).max(1440);

/** Hundredths of a mile, so that sums stay exact (D5). */
export const centimilesSchema = z.number().int();

export const roleSchema = z.enum(['member', 'admin']);
export type Role = z.infer<typeof roleSchema>;

export const activityLevelSchema = z.enum(['none', 'light', 'moderate', 'active'], {
  error: 'Please select your activity level',
});
export type ActivityLevel = z.infer<typeof activityLevelSchema>;

/** Where a movement came from, as feeds show it. */
export const sourceSchema = z.enum(['apple-watch', 'google-fit', 'strava', 'fitbit', 'timer', 'manual']);
export type Source = z.infer<typeof sourceSchema>;

// Asking the runtime costs as much as a database statement, and the same few zones come with every log.
const knownZones = new Set<string>();
const mostKnownZones = 2_000;

/** True when the runtime knows the zone's rules. */
export function isTimeZone(zone: string): boolean {
  if (knownZones.has(zone)) return true;
  try {
    const isKnown = zone !== '' && new Intl.DateTimeFormat('en', { timeZone: zone }).format(0) !== '';
    if (isKnown && knownZones.size < mostKnownZones) knownZones.add(zone);
    return isKnown;
  } catch {
    return false;
  }
}

/** Text a person typed: trimmed, without control characters (line breaks stay where `lines` allows them). */
export function typedText(maxCharacters: number, options: { lines?: boolean; tooLong?: string } = {}) {
  const forbidden = options.lines ? /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/ : /[\u0000-\u001f\u007f]/;
  return z
    .string()
    .trim()
    .refine((text) => [...text].length <= maxCharacters, options.tooLong ?? `At most ${maxCharacters} characters`)
    .refine((text) => !forbidden.test(text), 'Control characters are not allowed')
    .refine((text) => text.isWellFormed(), 'Half characters are not allowed');
}
