import { z } from 'zod';
import { importSources, sources } from '../domain/movement/sources.ts';
import { firstDate, lastDate } from '../domain/time/local-days.ts';
import {
  blanks,
  controls,
  controlsButLines,
  refusalOf,
  type TextRefusal,
  tidyText,
  directionControls,
} from '../domain/text/text.ts';
import { canonicalTimeZone, timeZoneNames } from '../domain/time/time-zones.ts';

/** The years from `firstDate` to `lastDate`. */
const saneYear = /^(19|20|21)\d\d-/;
const saneYears = `Dates lie between ${firstDate} and ${lastDate}`;
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
  .meta({ format: 'time-zone', pattern: `^(${[...timeZoneNames].join('|').replaceAll('+', '\\+')})$` });

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

/** Where a workout can be imported from. */
export const importSourceSchema = z.enum(importSources);
export const sourceSchema = z.enum(sources);

/** Strong, Love, Celebrate (3.40, 9.17). */
export const reactionEmojis = ['💪', '❤️', '🙌'] as const;
export const reactionEmojiSchema = z.enum(reactionEmojis, { error: 'Choose 💪, ❤️ or 🙌' });
export type ReactionEmoji = (typeof reactionEmojis)[number];

const halves = '\\ud800-\\udfff';
const nothingSeen = `\\s\\p{M}\\p{Z}\\p{Cf}\\p{Default_Ignorable_Code_Point}${blanks}\u{e0000}-\u{e0fff}`;

const refusals: Readonly<Record<Exclude<TextRefusal, 'too-long'>, string>> = {
  control: 'Control characters are not allowed',
  'lone-surrogate': 'The text contains a broken character',
  direction: 'Characters that turn the direction of text are not allowed',
  marks: 'Too many marks on one character',
};

type TypedTextOptions = {
  readonly lines?: boolean;
  readonly tooLong?: string;
  /** The refusal of a text in which nothing is seen; without it such a text is empty. */
  readonly required?: string;
};

/** The type of every text that people type: normalised and trimmed, with something visible, its length in graphemes. */
export function typedText(maxCharacters: number, { lines = false, tooLong, required }: TypedTextOptions = {}) {
  const rule = { maxCharacters, hasLines: lines };
  const not = `[^${lines ? controlsButLines : controls}${halves}${directionControls}]*`;
  return (
    z
      .string(required === undefined ? undefined : { error: required })
      .transform((typed, context) => {
        const text = tidyText(typed, rule);
        // A text of forbidden characters alone is refused as forbidden, not as empty.
        const refusal = refusalOf(text === '' ? typed.trim() : text, rule);
        if (refusal === 'too-long') context.addIssue(tooLong ?? `At most ${maxCharacters} characters`);
        else if (refusal !== undefined) context.addIssue(refusals[refusal]);
        if (text === '' && required !== undefined) context.addIssue(required);
        return text;
      })
      // Answers are described by what comes out.
      .pipe(z.string())
      .meta({
        format: lines ? 'text-lines' : 'text',
        ...(required !== undefined && { minLength: 1 }),
        maxLength: maxCharacters,
        pattern: required === undefined ? `^${not}$` : `^${not}[^${nothingSeen}${controls}${halves}]${not}$`,
      })
  );
}

type OpaqueFormat = 'id' | 'code' | 'path' | 'signature' | 'file-type' | 'uri-reference';

/** A string that a program made, such as an id or a path: taken as it comes. */
export function opaqueText(maxCharacters: number, format: OpaqueFormat) {
  return z
    .string()
    .trim()
    .refine((text) => [...text].length <= maxCharacters, `At most ${maxCharacters} characters`)
    .meta({ maxLength: maxCharacters, format });
}

/** Pixels, and what stands in its place until it is there. */
export const photoFactsSchema = z.object({
  width: z.number().int().positive(),
  height: z.number().int().positive(),
  /** About 25 bytes, base64 (evanw.github.io/thumbhash). */
  thumbHash: z.string(),
  alt: z.string().nullable(),
});
