import type { LiveKind } from '@caravan/contracts/http/live';
import type { operations } from '@caravan/contracts/http/operations';
import type { QueryClient } from '@tanstack/react-query';

type Operations = typeof operations;
/** Paths of the operations that read, up to the first parameter. */
type Read = {
  [Id in keyof Operations]: Operations[Id] extends { method: 'get'; path: infer Path } ? Fixed<Path> : never;
}[keyof Operations];
type Fixed<Path> = Path extends `${infer Start}/{${string}` ? Start : Path;
type StartsOf<Path, Before extends string = ''> = Path extends `/${infer First}/${infer Rest}`
  ? `${Before}/${First}` | StartsOf<`/${Rest}`, `${Before}/${First}`>
  : Path extends string
    ? `${Before}${Path}`
    : never;

/** What the key of a query begins with: the path of an operation that reads, or the start that several have in common. */
export type ReadPath = Exclude<StartsOf<Read>, '/api'>;

/** A query's key spells its path: what stands behind the first part are parameters and the rest of the path. */
export type ReadKey = readonly [ReadPath, ...string[]];

const ofDevices = [
  '/api/fitness/status',
  '/api/fitness/accounts',
  '/api/fitness/history',
  '/api/fitness/workouts',
] as const;

/** The starts of the keys of the queries that show a kind of change. */
export const keysOf: Record<LiveKind, readonly ReadPath[]> = {
  // Settings too: an address changes when its link is opened somewhere else.
  me: ['/api/me', '/api/me/settings'],
  stats: ['/api/dashboard/stats'],
  board: ['/api/leaderboard'],
  feed: ['/api/feed', '/api/activity-feed', '/api/feed/entries'],
  comments: [
    '/api/feed',
    '/api/activity-feed',
    '/api/feed/entries',
    '/api/feed/reported-comments',
    '/api/feed/hidden-comments',
  ],
  // Workouts come in, and go, as logs do.
  logs: ['/api/logs', '/api/miles', '/api/miles/days', ...ofDevices],
  branding: ['/api/org/branding'],
  people: ['/api/users'],
  members: ['/api/members'],
  teams: ['/api/teams'],
  badges: ['/api/user/badges', '/api/badges'],
  challenges: ['/api/weekly-challenges', '/api/bonus-challenge', '/api/challenge-templates'],
  journey: ['/api/journey'],
  reactions: ['/api/feed', '/api/activity-feed', '/api/feed/entries'],
  ballots: ['/api/ballots', '/api/teams'],
  notifications: ['/api/notifications', '/api/notifications/unread', '/api/notifications/mutes'],
  recaps: ['/api/recaps'],
  devices: ofDevices,
};

/** What is on the screen is fetched again, the rest when it is next shown. */
export const refresh = (queryClient: QueryClient, paths: readonly ReadPath[]): Promise<unknown> =>
  Promise.all(paths.map((path) => queryClient.invalidateQueries({ queryKey: [path] })));

/** What follows from miles. */
const moving = ['stats', 'board', 'feed', 'logs', 'people', 'badges', 'challenges', 'journey'] as const;

/** After a log, a correction or a removal; the live stream says the same, but later (7, 8, D8). */
export function refreshAfterMoving(queryClient: QueryClient): void {
  void refresh(queryClient, ['/api/me', ...moving.flatMap((kind) => keysOf[kind])]);
}
