import { i18n } from '@lingui/core';

const oneDecimal = { minimumFractionDigits: 1, maximumFractionDigits: 1 } as const;
const twoDecimals = { minimumFractionDigits: 2, maximumFractionDigits: 2 } as const;

const inNumbers = (value: number, options?: Intl.NumberFormatOptions) =>
  new Intl.NumberFormat(i18n.locale, options).format(value);

/** Miles with one decimal, as everywhere but in the running timer (9.8). @param value miles, number or numeric text */
export const formatMiles = (value: number | string): string => inNumbers(Number(value), oneDecimal);

/** Miles with two decimals, for the running timer (9.8). */
export const formatMilesExactly = (value: number): string => inNumbers(value, twoDecimals);

/** Miles to one decimal, never rounded down to nothing: what is still to go. */
export const formatMilesLeft = (value: number): string =>
  inNumbers(Math.ceil(Math.round(value * 100) / 10) / 10, oneDecimal);

export const formatCount = (value: number): string => inNumbers(value);

export const formatDate = (at: Date, options: Intl.DateTimeFormatOptions): string =>
  new Intl.DateTimeFormat(i18n.locale, options).format(at);

/** @param share 0 to 1 */
export const formatPercent = (share: number): string => inNumbers(share, { style: 'percent' });

/** At most two initials: the first letters of the first and the last word. */
export function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/).filter(Boolean);
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined].map((word) => [...(word ?? '')][0] ?? '');
  return letters.join('').toLocaleUpperCase();
}

const units = [
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const;

/** '12 minutes ago' up to four weeks, then the date. @param now milliseconds since 1970 */
export function formatAgo(iso: string, now: number, justNow: string): string {
  const then = new Date(iso);
  const seconds = (now - then.getTime()) / 1000;
  const [unit, length] = units.find(([, unitSeconds]) => seconds >= unitSeconds) ?? [];
  if (!unit) return justNow;
  if (seconds > 4 * 604_800) return formatDate(then, { dateStyle: 'medium' });
  return new Intl.RelativeTimeFormat(i18n.locale, { numeric: 'always' }).format(-Math.floor(seconds / length), unit);
}
