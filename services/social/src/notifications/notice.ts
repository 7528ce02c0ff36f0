import { productActivities } from '@caravan/contracts/domain/movement/activities';
import { distanceIn, type Units } from '@caravan/contracts/domain/movement/distance';
import type { NotificationKind } from '@caravan/contracts/domain/notification-kinds';
import { notificationLinks as links } from '@caravan/contracts/domain/notification-links';
import { isolateText } from '@caravan/contracts/domain/text/text';
import { hiddenMemberName } from '@caravan/contracts/domain/unnamed';

/** What an item says beside whose it is: ids, figures, and names that the product or admins gave. */
export type NoticeFacts = {
  readonly commentId?: string;
  readonly teamId?: string;
  readonly badgeId?: string;
  /** The name of a badge, a challenge or a checkpoint; after a ballot, the team's name. */
  readonly title?: string;
  /** A ballot left the team the name that it had. */
  readonly isKept?: boolean;
  readonly routeName?: string;
  readonly isLast?: boolean;
  readonly centimiles?: number;
  readonly days?: number;
  readonly rank?: number;
  readonly challenge?: 'weekly' | 'bonus';
  readonly weekStartsOn?: string;
  /** Of a checkpoint: its entry in the feeds. */
  readonly entryId?: string;
  /** Of a fitness platform: its name, what came from it, and whether its member has to connect it anew. */
  readonly platform?: string;
  readonly workouts?: number;
  readonly isToReconnect?: boolean;
  /** The imports were deleted with the permission. */
  readonly isDisconnected?: boolean;
};

/** A notice as its receiver may see it now: what its newest item says, for all of them. */
export type Notice = {
  readonly kind: NotificationKind;
  readonly subject: string;
  readonly count: number;
  /** Of those who did it, how many; 0 where nobody did. */
  readonly people: number;
  readonly actorId: string | null;
  /** Null for who may not be named to the receiver (D18). */
  readonly name: string | null;
  readonly facts: NoticeFacts;
  /** Of its newest items, as far as they are named. */
  readonly titles: readonly string[];
  readonly activityType: string | null;
  readonly teamName: string | null;
  /** Of a checkpoint, while the feeds show it. */
  readonly entryId: string | null;
};

const mostCharacters = 300;

export function textOf(notice: Notice, units: Units = 'imperial'): string {
  const text = texts[notice.kind](notice, units);
  return text.length <= mostCharacters ? text : `${text.slice(0, mostCharacters - 1).toWellFormed()}…`;
}

/** The same for those who chose kilometres; undefined where no distance is told. */
export function metricTextOf(notice: Notice): string | undefined {
  return tellingDistances.has(notice.kind) ? textOf(notice, 'metric') : undefined;
}

const tellingDistances: ReadonlySet<NotificationKind> = new Set(['challenge-reached', 'goal-near']);

const texts: Readonly<Record<NotificationKind, (notice: Notice, units: Units) => string>> = {
  reaction: (notice) => `${who(notice)} cheered your ${movementOf(notice)}`,
  comment: (notice) => `${who(notice)} commented on your ${movementOf(notice)}`,
  mention: (notice) => `${who(notice)} mentioned you in a comment`,
  follower: (notice) => `${who(notice)} ${notice.people > 1 ? 'follow' : 'follows'} you`,
  badge: ({ titles, count }) => `You earned the ${count > 1 ? 'badges' : 'badge'} ${listTitles(titles, count)}`,
  checkpoint: ({ teamName, facts, count }) =>
    `${teamName ?? 'A team'} reached ${facts.title ?? ''}${facts.isLast ? `, the end of ${facts.routeName ?? ''}` : ''}` +
    more(count, count > 2 ? 'more checkpoints' : 'more checkpoint'),
  'challenge-reached': ({ facts }, units) => {
    const { figure, unit } = distanceIn(units, facts.centimiles ?? 0);
    return `You reached “${facts.title ?? ''}”: claim ${figure} bonus ${unit}`;
  },
  'goal-near': ({ facts }, units) => {
    const { figure, unit } = distanceIn(units, facts.centimiles ?? 0);
    return `Only ${figure} ${unit} left to your weekly goal`;
  },
  'challenge-ending': ({ facts }) =>
    `${facts.challenge === 'bonus' ? 'The bonus challenge' : 'The weekly challenge'} “${facts.title ?? ''}” ends today`,
  'bonus-opened': ({ facts }) => `New bonus challenge: ${facts.title ?? ''}`,
  'ballot-opened': () => 'Your team votes on its name: choose one',
  'ballot-ending': () => 'Voting on your team’s name ends within a day',
  'ballot-decided': ({ facts: { title = '', isKept = false } }) => {
    if (title === '') return 'The vote on your team’s name is decided';
    return isKept
      ? `The vote is over: your team keeps the name ${title}`
      : `The vote is decided: your team is called ${title} now`;
  },
  'rank-lost': ({ name, facts }) =>
    `${isolateText(name ?? 'A colleague')} passed you: number ${facts.rank ?? ''} is theirs now`,
  'streak-at-risk': ({ facts }) =>
    `Your streak of ${facts.days ?? ''} ${facts.days === 1 ? 'day' : 'days'} ends tonight unless you move`,
  'team-changed': ({ teamName }) => `You are in ${teamName ?? 'another team'} now`,
  'invite-used': (notice) => `${who(notice)} joined with an invite`,
  'recap-ready': () => 'The recap of last week is ready',
  'export-ready': () => 'Your data is ready to download',
  'import-ready': ({ facts: { platform = 'a platform', workouts = 0 } }) =>
    workouts === 1 ? `Your workout from ${platform} is here` : `Your ${workouts} workouts from ${platform} are here`,
  'sync-failed': ({ facts: { platform = 'A platform', isToReconnect = false } }) =>
    isToReconnect
      ? `${platform} has to be connected again: until then no workouts come`
      : `Your workouts from ${platform} could not be fetched`,
  'imports-gone': ({ count, facts: { platform = 'a platform', isDisconnected = false } }) => {
    if (isDisconnected)
      return `${platform} was disconnected there: what came from it and what that earned is taken back`;
    return count > 1
      ? `${count} workouts were deleted at ${platform}: what they earned is taken back`
      : `A workout was deleted at ${platform}: what it earned is taken back`;
  },
};

export function linkOf({ kind, subject, actorId, entryId, facts }: Notice): string {
  switch (kind) {
    case 'reaction':
      return links.reaction(subject);
    case 'comment':
    case 'mention':
      return links[kind](subject, facts.commentId ?? '');
    case 'follower':
      return links.follower(actorId ?? '');
    case 'badge':
      return links.badge(facts.badgeId ?? '');
    case 'challenge-ending':
      return links['challenge-ending'](facts.challenge ?? 'weekly');
    case 'recap-ready':
      return links['recap-ready'](facts.weekStartsOn ?? '');
    case 'checkpoint':
      return links.checkpoint(entryId);
    case 'challenge-reached':
    case 'goal-near':
    case 'bonus-opened':
    case 'ballot-opened':
    case 'ballot-ending':
    case 'ballot-decided':
    case 'rank-lost':
    case 'streak-at-risk':
    case 'team-changed':
    case 'invite-used':
    case 'export-ready':
    case 'import-ready':
    case 'sync-failed':
    case 'imports-gone':
      return links[kind]();
  }
}

const who = ({ name, people }: Notice) =>
  `${isolateText(name ?? hiddenMemberName)}${more(people, people > 2 ? 'others' : 'other')}`;

const more = (count: number, what: string) => (count > 1 ? ` and ${count - 1} ${what}` : '');

const mostListed = 3;

/** 'One', 'One and Two', 'One, Two and 3 more'. */
function listTitles(titles: readonly string[], count: number): string {
  const shown = count > mostListed ? titles.slice(0, mostListed - 1) : titles.slice(0, count);
  const rest = count - shown.length;
  const parts = rest > 0 ? [...shown, `${rest} more`] : shown;
  const last = parts.at(-1) ?? '';
  return parts.length > 1 ? `${parts.slice(0, -1).join(', ')} and ${last}` : last;
}

const nouns: Readonly<Record<string, string>> = {
  Walking: 'walk',
  Running: 'run',
  Biking: 'ride',
  Hiking: 'hike',
  Swimming: 'swim',
};

function movementOf({ activityType }: Notice): string {
  if (activityType === null || !productActivities.includes(activityType)) return 'activity';
  return nouns[activityType] ?? activityType.toLowerCase();
}
