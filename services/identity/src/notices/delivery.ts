import { localDateOf, minutesOfDay } from '@caravan/contracts/domain/time/local-days';
import type { NotificationKind } from '@caravan/contracts/domain/notification-kinds';

/** `weekly-report` is identity's own: what a recap says, as a mail. */
export type NoticeKind = NotificationKind | 'weekly-report';

/** The switches of 3.46. */
export type Switches = {
  readonly email: boolean;
  readonly push: boolean;
  readonly teamUpdates: boolean;
  readonly weeklyReports: boolean;
};
export type MailSwitch = Exclude<keyof Switches, 'push'>;

export type RaisedNotice = {
  readonly kind: NoticeKind;
  readonly raisedAt: Date;
  readonly expiresAt: Date | null;
};

/**
 * `soon`: within minutes; `today`: the same, and never on another day than the one it speaks of; `digest`: with all
 * others, in the morning; `elsewhere`: another mail tells it.
 */
type MailClass = 'soon' | 'today' | 'digest' | 'elsewhere';

const mailClasses: Readonly<Partial<Record<NoticeKind, MailClass>>> = {
  'streak-at-risk': 'today',
  'challenge-ending': 'today',
  'invite-used': 'soon',
  'sync-failed': 'soon',
  // Its own mail says until when the file is kept.
  'export-ready': 'elsewhere',
  'recap-ready': 'elsewhere',
  // A disconnection has its own mail; a workout that its member deleted at the platform is worth none.
  'imports-gone': 'elsewhere',
};

const ofTheTeam: ReadonlySet<NoticeKind> = new Set([
  'checkpoint',
  'ballot-opened',
  'ballot-ending',
  'ballot-decided',
  'team-changed',
]);

const ofColleagues: ReadonlySet<NoticeKind> = new Set(['reaction', 'comment', 'mention', 'follower', 'invite-used']);

/** The part of a mail that tells it. */
export function partOf(kind: NoticeKind): 'week' | 'people' | 'own' | 'team' {
  if (kind === 'weekly-report') return 'week';
  if (ofTheTeam.has(kind)) return 'team';
  return ofColleagues.has(kind) ? 'people' : 'own';
}

const quietFromMinute = 21 * 60;
const quietUntilMinute = 8 * 60;
const minuteMilliseconds = 60_000;
const dayMinutes = 24 * 60;

/** What waited longer, since a server was away, is old: the app shows it. */
const mailableMilliseconds = 3 * dayMinutes * minuteMilliseconds;
const pushableMilliseconds = 12 * 60 * minuteMilliseconds;

/** From 21:00 to 8:00 on the member's own clock nobody is written to. */
export function isQuiet(at: Date, timeZone: string): boolean {
  const minute = minutesOfDay(at, timeZone);
  return minute >= quietFromMinute || minute < quietUntilMinute;
}

/** The instant itself unless it is quiet; then the end of the quiet hours. */
export function outsideQuietHours(at: Date, timeZone: string): Date {
  return isQuiet(at, timeZone) ? nextMorning(at, timeZone) : at;
}

/** When the clock shows 8:00 next, also on days that are longer or shorter. */
export function nextMorning(at: Date, timeZone: string): Date {
  const start = Math.floor(at.getTime() / minuteMilliseconds) * minuteMilliseconds;
  const ahead = (quietUntilMinute - minutesOfDay(at, timeZone) + dayMinutes) % dayMinutes || dayMinutes;
  const guess = new Date(start + ahead * minuteMilliseconds);
  // A change of the clock in between moves it by that much; half a day tells which way.
  const off = ((quietUntilMinute - minutesOfDay(guess, timeZone) + dayMinutes * 1.5) % dayMinutes) - dayMinutes / 2;
  return new Date(guess.getTime() + off * minuteMilliseconds);
}

/**
 * When it leaves by mail; null for never. What is switched off is looked at when it leaves.
 * @param holdSeconds how long it waits for whatever else happens, and for its receiver to see it in the app
 */
export function mailTimeOf(notice: RaisedNotice, timeZone: string, now: Date, holdSeconds: number): Date | null {
  const at = leavesAt(notice, timeZone, now, holdSeconds);
  return at !== null && isStillNews(notice, timeZone, at) ? at : null;
}

function leavesAt({ kind }: RaisedNotice, timeZone: string, now: Date, holdSeconds: number): Date | null {
  switch (mailClasses[kind] ?? 'digest') {
    case 'elsewhere':
      return null;
    case 'digest':
      return kind === 'weekly-report' ? outsideQuietHours(now, timeZone) : nextMorning(now, timeZone);
    case 'soon':
    case 'today': {
      const held = new Date(now.getTime() + holdSeconds * 1_000);
      // The last minutes before the quiet hours are better than the next morning.
      return isQuiet(held, timeZone) ? outsideQuietHours(now, timeZone) : held;
    }
  }
}

/** When it is pushed; null for never. */
export function pushTimeOf(notice: RaisedNotice, timeZone: string, now: Date): Date | null {
  if (notice.kind === 'weekly-report') return null;
  if (now.getTime() - notice.raisedAt.getTime() > pushableMilliseconds) return null;
  const at = outsideQuietHours(now, timeZone);
  return isStillNews(notice, timeZone, at) ? at : null;
}

/** Whether somebody still wants to read it then. */
export function isStillNews({ kind, raisedAt, expiresAt }: RaisedNotice, timeZone: string, at: Date): boolean {
  if (expiresAt !== null && at >= expiresAt) return false;
  if (at.getTime() - raisedAt.getTime() > mailableMilliseconds) return false;
  return mailClasses[kind] !== 'today' || localDateOf(raisedAt, timeZone) === localDateOf(at, timeZone);
}

/** `email` is the master of every mail about notices. */
export function isMailWanted(kind: NoticeKind, { email, teamUpdates, weeklyReports }: Switches): boolean {
  if (kind === 'weekly-report') return email && weeklyReports;
  return email && (teamUpdates || !ofTheTeam.has(kind));
}

export function isPushWanted(kind: NoticeKind, { push, teamUpdates }: Switches): boolean {
  return push && (teamUpdates || !ofTheTeam.has(kind));
}

/** The narrowest switch that ends mails like one of these kinds. */
export function switchOf(kinds: readonly NoticeKind[]): MailSwitch {
  if (kinds.every((kind) => kind === 'weekly-report')) return 'weeklyReports';
  return kinds.every((kind) => ofTheTeam.has(kind)) ? 'teamUpdates' : 'email';
}

type Waiting = RaisedNotice & {
  readonly noticeId: string;
  /** Everybody whom it names is still here and may be named. */
  readonly isSayable: boolean;
};
type Receiver = {
  readonly timeZone: string;
  readonly switches: Switches;
  /** A member, and for mails one whose address is confirmed. */
  readonly isReachable: boolean;
};

export type MailPlan = {
  /** In this mail, the oldest first. */
  readonly told: readonly string[];
  /** In none, ever: switched off or over. */
  readonly dropped: readonly string[];
};

/** What one mail tells: all that waits, so that the next one has nothing left to say. Outside of quiet hours. */
export function planMail<Notice extends Waiting>(
  waiting: readonly Notice[],
  { timeZone, switches, isReachable }: Receiver,
  at: Date,
): MailPlan {
  const isTold = (notice: Notice) =>
    isReachable && notice.isSayable && isMailWanted(notice.kind, switches) && isStillNews(notice, timeZone, at);
  const idsOf = (notices: readonly Notice[]) => notices.map(({ noticeId }) => noticeId);
  const inOrder = waiting.toSorted(byAge);
  return {
    told: idsOf(inOrder.filter(isTold)),
    dropped: idsOf(inOrder.filter((notice) => !isTold(notice))),
  };
}

const byAge = (one: RaisedNotice, other: RaisedNotice) => one.raisedAt.getTime() - other.raisedAt.getTime();

/** Of what waited for the end of the quiet hours the newest few: a night is not told in a row of pushes. */
const mostAtOnce = 3;

/** What is pushed now, the oldest first; the rest never is. Outside of quiet hours. */
export function planPushes<Notice extends Waiting>(
  waiting: readonly Notice[],
  { timeZone, switches, isReachable }: Receiver,
  at: Date,
): readonly string[] {
  return waiting
    .filter((notice) => isReachable && notice.isSayable)
    .filter((notice) => isPushWanted(notice.kind, switches) && isStillNews(notice, timeZone, at))
    .toSorted(byAge)
    .slice(-mostAtOnce)
    .map(({ noticeId }) => noticeId);
}
