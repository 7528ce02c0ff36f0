import { instantOf, localDateOf, localTimeOf } from '@caravan/contracts/domain/time/local-days';
import { i18n } from '@lingui/core';
import type { QueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { createStore } from './store.ts';

export const browserZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone;

const store = createStore();
let memberZone: string | undefined;

/** All dates use the member's time zone (D10); until it is known, the browser's. */
export function followMemberZone(queryClient: QueryClient): void {
  const cache = queryClient.getQueryCache();
  cache.subscribe(({ query, type }) => {
    const [path, ...rest] = query.queryKey as readonly unknown[];
    if (path !== '/api/me' || rest.length > 0 || type === 'observerResultsUpdated') return;
    const me = type === 'removed' ? undefined : (query.state.data as { timeZone?: string } | null | undefined);
    const timeZone = isZone(me?.timeZone) ? me?.timeZone : undefined;
    if (timeZone === memberZone) return;
    memberZone = timeZone;
    store.tell();
  });
}

/** A browser may be older than a zone. */
function isZone(timeZone: string | undefined): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone });
    return true;
  } catch {
    return false;
  }
}

/** A calendar date without a zone. @param localDate YYYY-MM-DD */
export const formatLocalDate = (localDate: string, options: Intl.DateTimeFormatOptions): string =>
  format(new Date(`${localDate}T00:00:00Z`), 'UTC', options);

/** Empty for what is no date (D44). */
function format(at: Date, timeZone: string, options: Intl.DateTimeFormatOptions): string {
  if (Number.isNaN(at.getTime())) return '';
  return new Intl.DateTimeFormat(i18n.locale, { ...options, timeZone }).format(at);
}

const spans = [
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const;

export type Dates = ReturnType<typeof datesIn>;

/** Dates and times as somebody in that zone reads and types them; ISO texts and milliseconds are taken as instants. */
export function datesIn(timeZone: string) {
  const formatDate = (at: string | number, options: Intl.DateTimeFormatOptions): string =>
    format(new Date(at), timeZone, options);
  /** YYYY-MM-DD; empty for what is no date (D44). */
  const dateOf = (at: string | number): string =>
    Number.isNaN(new Date(at).getTime()) ? '' : localDateOf(new Date(at), timeZone);
  return {
    formatDate,
    dateOf,
    /** '12 minutes ago' up to four weeks, then the date. @param now milliseconds since 1970 */
    formatAgo: (iso: string, now: number, justNow: string): string => {
      const seconds = (now - Date.parse(iso)) / 1000;
      if (Number.isNaN(seconds)) return '';
      const [unit, length] = spans.find(([, spanSeconds]) => seconds >= spanSeconds) ?? [];
      if (!unit) return justNow;
      if (seconds > 4 * 604_800) return formatDate(iso, { dateStyle: 'medium' });
      return new Intl.RelativeTimeFormat(i18n.locale, { numeric: 'always' }).format(
        -Math.floor(seconds / length),
        unit,
      );
    },
    /** Says the year where it is not the running one. */
    formatMoment: (at: string, now: number): string => {
      const isOtherYear = dateOf(at).slice(0, 4) !== dateOf(now).slice(0, 4);
      const time = { month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' } as const;
      return formatDate(at, isOtherYear ? { ...time, year: 'numeric' } : time);
    },
    /** YYYY-MM-DDThh:mm, as a field for date and time holds it; empty for what is no date. */
    inField: (at: string | number): string =>
      Number.isNaN(new Date(at).getTime()) ? '' : localTimeOf(new Date(at), timeZone),
    /** ISO, UTC; undefined where the field holds no time. */
    ofField: (field: string): string | undefined => instantOf(field, timeZone)?.toISOString(),
  };
}

/** Dates and times in the member's zone. */
export function useDates(): Dates {
  const timeZone = store.use(() => memberZone);
  return useMemo(() => datesIn(timeZone ?? browserZone()), [timeZone]);
}
