import { kilometersPerMile, type Units } from '@caravan/contracts/domain/movement/distance';
import { charactersOf } from '@caravan/contracts/domain/text/text';
import { i18n } from '@lingui/core';

const oneDecimal = { minimumFractionDigits: 1, maximumFractionDigits: 1 } as const;
const twoDecimals = { minimumFractionDigits: 2, maximumFractionDigits: 2 } as const;

/** '--' for what is no number: an answer may leave out what the specification does not promise (D44). */
const inNumbers = (value: number, options?: Intl.NumberFormatOptions) =>
  Number.isFinite(value) ? new Intl.NumberFormat(i18n.locale, options).format(value) : '--';

const inUnits = (miles: number, units: Units) => (units === 'metric' ? miles * kilometersPerMile : miles);

/**
 * A distance in the reader's units. Miles are what is stored and sent; only here they become kilometers.
 * @param miles number or numeric text
 * @param precision one decimal, as everywhere; two in the running timer (9.8); `brief` leaves out a zero, for goals;
 * `left` is rounded up, so that what is still to go never reads as nothing
 */
export function formatDistance(
  miles: number | string,
  units: Units,
  precision: 'one' | 'two' | 'brief' | 'left' = 'one',
): string {
  const value = inUnits(Number(miles), units);
  if (precision === 'left') return inNumbers(Math.ceil(Math.round(value * 100) / 10) / 10, oneDecimal);
  if (precision === 'brief') return inNumbers(value, { maximumFractionDigits: 1 });
  return inNumbers(value, precision === 'two' ? twoDecimals : oneDecimal);
}

export const formatCount = (value: number): string => inNumbers(value);

/** '5 hr 30 min', '45 min' (9.22). */
export function formatDuration(minutes: number): string {
  const inUnit = (value: number, unit: string) => inNumbers(value, { style: 'unit', unit, unitDisplay: 'short' });
  const hours = Math.floor(minutes / 60);
  const rest = minutes % 60;
  const parts = [hours > 0 ? inUnit(hours, 'hour') : '', rest > 0 || hours === 0 ? inUnit(rest, 'minute') : ''];
  return parts.filter(Boolean).join(' ');
}

/** '1.4 MB', with bytes in base 1024 (9.30). */
export function formatBytes(bytes: number): string {
  const [value, unit] = bytes < 1024 * 1024 ? [bytes / 1024, 'kilobyte'] : [bytes / (1024 * 1024), 'megabyte'];
  return inNumbers(Math.max(0.1, value), { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: 1 });
}

/** @param share 0 to 1 */
export const formatPercent = (share: number): string => inNumbers(share, { style: 'percent' });

/** At most two initials: the first letters of the first and the last word. */
export function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/).filter(Boolean);
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined].map(
    (word) => charactersOf(word ?? '')[0] ?? '',
  );
  return letters.join('').toLocaleUpperCase();
}
