import { addDays } from '@caravan/contracts/domain/time/local-days';
import type { Notification } from '@caravan/contracts/http/notifications';

/** Where a link leads: nowhere but inside the app. */
export type Place = { readonly to: string; readonly search: Record<string, string>; readonly hash: string };

const here = 'http://app';
/** What is no path of the app leads to the list itself. */
const nowhere: Place = { to: '/notifications', search: {}, hash: '' };

export function placeOf(link: string): Place {
  if (!link.startsWith('/') || !URL.canParse(link, here)) return nowhere;
  const { origin, pathname, searchParams, hash } = new URL(link, here);
  if (origin !== here) return nowhere;
  return { to: pathname, search: Object.fromEntries(searchParams), hash: hash.slice(1) };
}

/** A day of the reader's, as far as the list shows it. */
export type Day = {
  readonly name: 'today' | 'yesterday' | 'earlier';
  /** YYYY-MM-DD; empty where it is unknown. */
  readonly on: string;
  readonly notices: Notification[];
};

/**
 * Newest first, as they come, under the reader's own days.
 * @param now milliseconds since 1970
 * @param dateOf the reader's calendar date of an instant
 */
export function byDay(notices: readonly Notification[], now: number, dateOf: (at: string | number) => string): Day[] {
  const today = dateOf(now);
  const yesterday = addDays(today, -1);
  const days = new Map<string, Day>();
  for (const notice of notices) {
    const date = dateOf(notice.createdAt);
    // A clock that is behind the server's sees what is new as tomorrow's.
    const on = date > today ? today : date;
    const past = on === yesterday ? 'yesterday' : 'earlier';
    const day = days.get(on) ?? { name: on === today ? 'today' : past, on, notices: [] };
    days.set(on, day);
    day.notices.push(notice);
  }
  return [...days.values()];
}

export const mostCounted = 99;

/** What stands beside the bell: nothing for none, '99+' for more than fit. */
export function unreadMark(count: number, format: (count: number) => string): string {
  if (count <= 0) return '';
  return count > mostCounted ? `${format(mostCounted)}+` : format(count);
}
