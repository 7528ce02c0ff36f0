import { z } from 'zod';
import { canonicalTimeZone, timeZoneNames } from './time-zones.ts';

// PostgreSQL, JavaScript and every calendar agree from 1900 to 2199.
const saneYear = /^(19|20|21)\d\d-/;
const saneYears = 'Dates lie between 1900-01-01 and 2199-12-31';
const isInSaneYear = (text: string): boolean => saneYear.test(text);
/** One pattern, years and all: two patterns leave clients no type. */
const inSaneYears = (format: RegExp) => ({ pattern: `^(?=(?:19|20|21)\\d\\d-)${format.source.slice(1)}` });

export const localDateSchema = z.iso
  .date({ error: 'Invalid date format', abort: true })
  .refine(isInSaneYear, saneYears)
  .meta(inSaneYears(z.regexes.date));

/** As this product writes it: UTC. */
export const instantSchema = z.iso
  .datetime({ error: 'Invalid date format', abort: true })
  .max(32, { error: 'Invalid date format', abort: true })
  .refine(isInSaneYear, saneYears)
  .meta(inSaneYears(z.regexes.datetime({})));

/** As others write it: with an offset or Z. */
export const typedInstantSchema = z.iso
  .datetime({ offset: true, error: 'Invalid date format', abort: true })
  .max(40, { error: 'Invalid date format', abort: true })
  .refine(isInSaneYear, saneYears)
  .meta(inSaneYears(z.regexes.datetime({ offset: true })));

const unknownZone = 'Unknown time zone';
const notAnOffset = 'A time zone is a name such as Europe/Berlin, not an offset';

/** IANA, kept under its present name whatever alias was sent; offsets are refused. */
export const timeZoneSchema = z
  .string({ error: unknownZone })
  .transform((zone, context) => {
    const name = canonicalTimeZone(zone);
    if (name === undefined) context.addIssue(/^[+-]/.test(zone) ? notAnOffset : unknownZone);
    return name ?? 'UTC';
  })
  .meta({ pattern: `^(${[...timeZoneNames].join('|').replaceAll('+', '\\+')})$` });

/** A recorded zone that nobody knows, from before names were checked, counts as UTC. */
export const toldTimeZoneSchema = z.string().transform((zone) => canonicalTimeZone(zone) ?? 'UTC');

export const durationMinutesSchema = z.number().int().min(1).max(1440);

/** Hundredths of a mile, so that sums stay exact (D5). */
export const centimilesSchema = z.number().int();

export const roleSchema = z.enum(['member', 'admin']);
export type Role = z.infer<typeof roleSchema>;

export const activityLevelSchema = z.enum(['none', 'light', 'moderate', 'active'], {
  error: 'Please select your activity level',
});
export type ActivityLevel = z.infer<typeof activityLevelSchema>;

const importSources = ['apple-watch', 'google-fit', 'strava', 'fitbit'] as const;
/** Where a workout can be imported from. */
export const importSourceSchema = z.enum(importSources);
export type ImportSource = z.infer<typeof importSourceSchema>;
/** As people know them. */
export const platformNames: Readonly<Record<ImportSource, string>> = {
  ...{ 'apple-watch': 'Apple Watch', 'google-fit': 'Google Fit' },
  ...{ strava: 'Strava', fitbit: 'Fitbit' },
};

export const sourceSchema = z.enum([...importSources, 'timer', 'manual']);
export type Source = z.infer<typeof sourceSchema>;

/** Strong, Love, Celebrate (3.40, 9.17). */
export const reactionEmojis = ['💪', '❤️', '🙌'] as const;
export const reactionEmojiSchema = z.enum(reactionEmojis, { error: 'Choose 💪, ❤️ or 🙌' });
export type ReactionEmoji = (typeof reactionEmojis)[number];

const controls = '\\u0000-\\u001f\\u007f';
const controlsButLines = '\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f';
const halves = '\\ud800-\\udfff';
// Unicode category Cf, spelled out so that every tool that reads the document knows it.
const formatting =
  '\\u00ad\\u0600-\\u0605\\u061c\\u06dd\\u070f\\u0890\\u0891\\u08e2\\u180e\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u2064\\u2066-\\u206f\\ufeff\\ufff9-\\ufffb' +
  '\u{110bd}\u{110cd}\u{13430}-\u{1343f}\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0001}\u{e0020}-\u{e007f}';
const turning = '\\u202a-\\u202e\\u2066-\\u2069';

type TypedTextOptions = {
  readonly lines?: boolean;
  /** Refuses characters that would turn the words of those who come after. Marks that letters need stay allowed. */
  readonly keepsDirection?: boolean;
  readonly tooLong?: string;
  readonly required?: string;
};

export function typedText(
  maxCharacters: number,
  { lines = false, keepsDirection = false, tooLong, required }: TypedTextOptions = {},
) {
  const not = `[^${lines ? controlsButLines : controls}${halves}${keepsDirection ? turning : ''}]*`;
  const turns = new RegExp(`[${turning}]`);
  const forbidden = new RegExp(`[${lines ? controlsButLines : controls}]`);
  return z
    .string(required === undefined ? undefined : { error: required })
    .trim()
    .refine((text) => [...text].length <= maxCharacters, tooLong ?? `At most ${maxCharacters} characters`)
    .refine((text) => !forbidden.test(text), 'Control characters are not allowed')
    .refine((text) => text.isWellFormed(), 'Half characters are not allowed')
    .refine(
      (text) => !keepsDirection || !turns.test(text),
      'Characters that turn the direction of text are not allowed',
    )
    .refine((text) => required === undefined || /[^\s\p{Cf}]/u.test(text), required)
    .meta({
      ...(required !== undefined && { minLength: 1 }),
      maxLength: maxCharacters,
      pattern: required === undefined ? `^${not}$` : `^${not}[^\\s${controls}${halves}${formatting}]${not}$`,
    });
}

/** Counted in characters, as JSON Schema counts them. */
export function shortText(maxCharacters: number, tooLong = `At most ${maxCharacters} characters`) {
  return z
    .string()
    .trim()
    .refine((text) => [...text].length <= maxCharacters, tooLong)
    .meta({ maxLength: maxCharacters });
}
