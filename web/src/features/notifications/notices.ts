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
  readonly on: Date;
  readonly notices: Notification[];
};

const midnightOf = (at: Date): Date => new Date(at.getFullYear(), at.getMonth(), at.getDate());

/** Newest first, as they come, under the reader's own days. @param now milliseconds since 1970 */
export function byDay(notices: readonly Notification[], now: number): Day[] {
  const today = midnightOf(new Date(now));
  const yesterday = new Date(today.getFullYear(), today.getMonth(), today.getDate() - 1);
  const days = new Map<number, Day>();
  for (const notice of notices) {
    // A clock that is behind the server's sees what is new as tomorrow's.
    const on = new Date(Math.min(midnightOf(new Date(notice.createdAt)).getTime() || 0, today.getTime()));
    const [isToday, isYesterday] = [on.getTime() === today.getTime(), on.getTime() === yesterday.getTime()];
    const name = isToday ? 'today' : isYesterday ? 'yesterday' : 'earlier';
    const day = days.get(on.getTime()) ?? { name, on, notices: [] };
    days.set(on.getTime(), day);
    day.notices.push(notice);
  }
  return [...days.values()];
}

export const mostCounted = 99;

/** What stands beside the bell: nothing for none, '99+' for more than fit. */
export const unreadMark = (count: number, format: (count: number) => string): string =>
  count <= 0 ? '' : count > mostCounted ? `${format(mostCounted)}+` : format(count);
