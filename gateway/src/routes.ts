import { operations } from '@caravan/contracts/http/operations';
import type { CookieUse, Operation } from '@caravan/contracts/http/operations/operation';
import type { ServiceName } from '@caravan/contracts/topics';

/** The longest prefix wins. */
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
  { prefix: '/api/invites', service: 'identity' },
  { prefix: '/api/members', service: 'identity' },
  { prefix: '/api/teams', service: 'identity' },
  { prefix: '/api/audit', service: 'identity' },
  { prefix: '/api/log', service: 'activity' },
  { prefix: '/api/logs', service: 'activity' },
  { prefix: '/api/user-activities', service: 'activity' },
  { prefix: '/api/dashboard', service: 'scoring' },
  { prefix: '/api/leaderboard', service: 'scoring' },
  { prefix: '/api/miles', service: 'scoring' },
  { prefix: '/api/weekly-challenges', service: 'scoring' },
  { prefix: '/api/bonus-challenge', service: 'scoring' },
  { prefix: '/api/challenge-templates', service: 'scoring' },
  { prefix: '/api/user/badges', service: 'scoring' },
  { prefix: '/api/badges', service: 'scoring' },
  { prefix: '/api/journey', service: 'scoring' },
  { prefix: '/api/feed', service: 'social' },
  { prefix: '/api/fitness', service: 'integrations' },
];

const cookiesByOperation = new Map(
  Object.values<Operation>(operations).map(({ method, path, cookies }) => [`${method.toUpperCase()} ${path}`, cookies]),
);

export function cookiesOf(method: string, path: string): readonly CookieUse[] {
  return cookiesByOperation.get(`${method} ${path}`) ?? [];
}

const withoutBearer = new Set(
  Object.values<Operation>(operations)
    .filter(({ access }) => access === 'public' || access === 'cookie')
    .map(({ method, path }) => `${method.toUpperCase()} ${path}`),
);

export function isOpen(method: string, path: string): boolean {
  return withoutBearer.has(`${method} ${path}`) || path === '/.well-known/jwks.json';
}
