/** A text as people type it into one line or several. */
export type TextRule = {
  /** In characters as people see them: a flag, a family or a letter with its accents is one. */
  readonly maxCharacters: number;
  readonly hasLines?: boolean | undefined;
};

export type TextRefusal = 'too-long' | 'control' | 'lone-surrogate' | 'direction' | 'marks';

/** Line separators besides the line feed end a line in some programs and not in others. */
const separators = '\\u2028\\u2029';
export const controls = `\\u0000-\\u001f\\u007f-\\u009f${separators}`;
export const controlsButLines = `\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f${separators}`;
/** Embeddings, overrides and isolates turn the words of those who come after. Marks that letters need stay allowed. */
export const directionControls = '\\u202a-\\u202e\\u2066-\\u2069';
/** Characters that are drawn as nothing although Unicode counts them among letters and symbols. */
export const blanks = '\\u2800\u{1d159}\u{13441}\u{13442}';

const control = new RegExp(`[${controls}]`, 'u');
const controlButLines = new RegExp(`[${controlsButLines}]`, 'u');
const turn = new RegExp(`[${directionControls}]`, 'u');
const visible = new RegExp(`[^\\p{M}\\p{Z}\\p{Cc}\\p{Cf}\\p{Cs}\\p{Default_Ignorable_Code_Point}\\s${blanks}]`, 'u');
const outerSpace = /^[\s\p{Z}]+|[\s\p{Z}]+$/gu;

/** The longest marks and joiners in a row that a script or an emoji needs, with room. */
const mostMarks = 16;
const tooManyMarks = new RegExp(`[\\p{M}\\p{Default_Ignorable_Code_Point}]{${mostMarks + 1}}`, 'u');

/** The longest emoji have ten code points. A text that needs more for each of its characters is no text. */
const mostCodePointsEach = 12;

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

export function charactersOf(text: string): string[] {
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

export function characterCount(text: string): number {
  return charactersOf(text).length;
}

function hasVisibleCharacter(text: string): boolean {
  return visible.test(text);
}

/** Composed and trimmed, and empty where nothing of it is seen. */
export function tidyText(typed: string, { hasLines = false }: Pick<TextRule, 'hasLines'> = {}): string {
  const composed = (hasLines ? typed.replace(/\r\n?/g, '\n') : typed).normalize('NFC').replace(outerSpace, '');
  return hasVisibleCharacter(composed) ? composed : '';
}

/** Why a tidy text is refused. */
export function refusalOf(text: string, { maxCharacters, hasLines = false }: TextRule): TextRefusal | undefined {
  if (isTooLong(text, maxCharacters)) return 'too-long';
  if ((hasLines ? controlButLines : control).test(text)) return 'control';
  if (!text.isWellFormed()) return 'lone-surrogate';
  if (turn.test(text)) return 'direction';
  return tooManyMarks.test(text) ? 'marks' : undefined;
}

function isTooLong(text: string, maxCharacters: number): boolean {
  // No text has more characters than UTF-16 units.
  if (text.length <= maxCharacters) return false;
  if (text.length > maxCharacters * mostCodePointsEach * 2) return true;
  return characterCount(text) > maxCharacters;
}

const refusedCharacters = (hasLines: boolean) =>
  new RegExp(`[${hasLines ? controlsButLines : controls}${directionControls}]`, 'gu');
const marksBeyond = new RegExp(
  `([\\p{M}\\p{Default_Ignorable_Code_Point}]{${mostMarks}})[\\p{M}\\p{Default_Ignorable_Code_Point}]+`,
  'gu',
);

/** The nearest text that the rule takes: what stored texts of before the rule become. */
export function mendedText(stored: string, rule: TextRule): string {
  const { hasLines = false, maxCharacters } = rule;
  const lined = hasLines
    ? stored.replace(/[\u0085\u2028\u2029]/g, '\n')
    : stored.replace(/[\n\r\t\u0085\u2028\u2029]/g, ' ');
  const bare = lined.replace(refusedCharacters(hasLines), '').toWellFormed().replace(marksBeyond, '$1');
  const tidy = tidyText(bare, rule);
  if (!isTooLong(tidy, maxCharacters)) return tidy;
  return tidyText(charactersOf(tidy).slice(0, maxCharacters).join(''), rule);
}

/**
 * What stays of a field's value after more was typed or pasted than it takes: the characters before the caret give
 * way, as they came last.
 */
export function fittedText(
  value: string,
  caret: number,
  maxCharacters: number,
): { readonly value: string; readonly caret: number } {
  if (value.length <= maxCharacters) return { value, caret };
  const excess = characterCount(value) - maxCharacters;
  if (excess <= 0) return { value, caret };
  const before = charactersOf(value.slice(0, caret));
  const kept = before.slice(0, Math.max(0, before.length - excess)).join('');
  const after = charactersOf(value.slice(caret))
    .slice(0, Math.max(0, maxCharacters - characterCount(kept)))
    .join('');
  return { value: kept + after, caret: kept.length };
}

/** Characters that are written from right to left. */
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** For a sentence in which a text of another direction must keep its words, and the sentence its own. */
export function isolateText(text: string): string {
  return rightToLeft.test(text) ? `\u2068${text}\u2069` : text;
}
