import type { IncomingHttpHeaders } from 'node:http';
import { operations } from '@caravan/contracts/http/operations';
import type { CookieUse, Operation } from '@caravan/contracts/http/operations/operation';
import type { ServiceName } from '@caravan/contracts/events/topics';

/** The longest prefix wins; `{}` stands for one part of any name, and what is named goes before it. */
export const routes: readonly { readonly prefix: string; readonly service: ServiceName }[] = [
  { prefix: '/.well-known/jwks.json', service: 'identity' },
  { prefix: '/api/signup', service: 'identity' },
  { prefix: '/api/login', service: 'identity' },
  { prefix: '/api/logout', service: 'identity' },
  { prefix: '/api/auth', service: 'identity' },
  { prefix: '/api/forgot-password', service: 'identity' },
  { prefix: '/api/reset-password', service: 'identity' },
  { prefix: '/api/email', service: 'identity' },
  { prefix: '/api/invitations', service: 'identity' },
  { prefix: '/api/me', service: 'identity' },
  { prefix: '/api/org', service: 'identity' },
  { prefix: '/api/company', service: 'identity' },
  { prefix: '/api/users', service: 'identity' },
  { prefix: '/api/users/{}/photos', service: 'social' },
  { prefix: '/api/invites', service: 'identity' },
  { prefix: '/api/members', service: 'identity' },
  { prefix: '/api/teams', service: 'identity' },
  { prefix: '/api/teams/{}/name-options', service: 'social' },
  { prefix: '/api/teams/{}/ballots', service: 'social' },
  { prefix: '/api/teams/vote', service: 'social' },
  { prefix: '/api/audit', service: 'identity' },
  { prefix: '/api/unsubscribe', service: 'identity' },
  { prefix: '/api/push', service: 'identity' },
  { prefix: '/api/log', service: 'activity' },
  { prefix: '/api/logs', service: 'activity' },
  { prefix: '/api/user-activities', service: 'activity' },
  { prefix: '/api/objects', service: 'activity' },
  { prefix: '/api/workout-photos', service: 'activity' },
  { prefix: '/objects/photos', service: 'activity' },
  { prefix: '/companion', service: 'activity' },
  { prefix: '/api/dashboard', service: 'scoring' },
  { prefix: '/api/leaderboard', service: 'scoring' },
  { prefix: '/api/miles', service: 'scoring' },
  { prefix: '/api/weekly-challenges', service: 'scoring' },
  { prefix: '/api/bonus-challenge', service: 'scoring' },
  { prefix: '/api/challenge-templates', service: 'scoring' },
  { prefix: '/api/user/badges', service: 'scoring' },
  { prefix: '/api/badges', service: 'scoring' },
  { prefix: '/api/journey', service: 'scoring' },
  { prefix: '/api/analytics', service: 'scoring' },
  { prefix: '/api/analytics/recaps', service: 'social' },
  { prefix: '/api/feed', service: 'social' },
  { prefix: '/api/ballots', service: 'social' },
  { prefix: '/api/notifications', service: 'social' },
  { prefix: '/api/recaps', service: 'social' },
  { prefix: '/api/activity-feed', service: 'social' },
  { prefix: '/api/fitness', service: 'integrations' },
  { prefix: '/api/webhooks', service: 'integrations' },
];

/** The pattern of a prefix for the router. */
export const patternOf = (prefix: string): string => prefix.replaceAll('{}', ':part');

type Asked = (method: string, path: string) => Operation | undefined;

/** Finds which of some operations a request asks for; `{name}` stands for a part of the path, or the beginning of one. */
export function operationFinder(isMeant: (operation: Operation) => boolean): Asked {
  const meant = Object.values<Operation>(operations).filter(isMeant);
  const nameOf = ({ method, path }: Operation) => `${method.toUpperCase()} ${path}`;
  const exact = new Map(meant.map((operation) => [nameOf(operation), operation]));
  const patterns = meant
    .filter(({ path }) => path.includes('{'))
    .map((operation) => ({ operation, pattern: patternOfPath(nameOf(operation)) }));
  return (method, path) => {
    const asked = `${method} ${decodedPath(path)}`;
    return exact.get(asked) ?? patterns.find(({ pattern }) => pattern.test(asked))?.operation;
  };
}

/** The path as services match it: decoded by segment, so that no other spelling of a path escapes a rule for it. */
function decodedPath(path: string): string {
  if (!path.includes('%')) return path;
  return path.split('/').map(decodedSegment).join('/');
}

function decodedSegment(segment: string): string {
  try {
    const decoded = decodeURIComponent(segment);
    return decoded.includes('/') ? segment : decoded;
  } catch {
    return segment;
  }
}

const patternOfPath = (path: string): RegExp =>
  new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`);

const taking = operationFinder(({ cookies }) => cookies !== undefined);

export function cookiesOf(method: string, path: string): readonly CookieUse[] {
  return taking(method, path)?.cookies ?? [];
}

/** Public documents that services answer to each other and to everybody, without being operations of the contract. */
const publicDocuments = new Set(['/.well-known/jwks.json']);

const withoutBearer = operationFinder(({ access }) => access === 'public' || access === 'cookie');

/** The path of the operation that is asked for and needs no bearer, as the contract writes it. */
export function openPathOf(method: string, path: string): string | undefined {
  if (publicDocuments.has(path)) return path;
  return withoutBearer(method, path)?.path;
}

const storingRead = operationFinder(({ storesSomething }) => storesSomething === true);
const takesKey = operationFinder(({ isIdempotent }) => isIdempotent === true);

/** Whether the same request may be sent again when nobody knows if the service has handled it. */
export function isRepeatable(method: string, path: string, headers: IncomingHttpHeaders): boolean {
  // A state that a platform hands back is used up by its first GET, and the second one would be refused.
  if (method === 'GET' || method === 'HEAD') return storingRead('GET', path) === undefined;
  return headers['idempotency-key'] !== undefined && takesKey(method, path) !== undefined;
}
