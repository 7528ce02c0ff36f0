import { LRUCache } from 'lru-cache';
import type { Log } from './log.ts';

export type SecurityKind =
  | 'sign-in'
  | 'sign-in-refused'
  | 'throttled'
  | 'password-reset'
  | 'refresh-token-reused'
  | 'role-changed'
  | 'member-deactivated'
  | 'member-reactivated'
  | 'admin-call-refused'
  | 'invite-guessed'
  | 'token-refused'
  | 'stale-token'
  | 'upload-refused'
  | 'account-erased'
  | 'organisation-closed';

const alarming: ReadonlySet<SecurityKind> = new Set<SecurityKind>([
  'sign-in-refused',
  'throttled',
  'refresh-token-reused',
  'admin-call-refused',
  'invite-guessed',
  'token-refused',
  'upload-refused',
]);

/** Never a secret, never an e-mail address in clear. */
export type SecurityFacts = Readonly<Record<string, string | number | undefined>>;

export function logSecurity(log: Log, security: SecurityKind, facts: SecurityFacts): void {
  log[alarming.has(security) ? 'warn' : 'info']({ security, ...facts }, security.replaceAll('-', ' '));
}

export function securityOfRefusal({ status, code }: { status: number; code: string }): SecurityKind | undefined {
  if (status === 429) return 'throttled';
  return code === 'invite/unknown' ? 'invite-guessed' : undefined;
}

const quietMilliseconds = 60_000;
const recent = new LRUCache<string, true>({ max: 10_000, ttl: quietMilliseconds });

/** Once a minute and origin, so that a loop of refusals does not fill the disk. */
export function logSecurityOnce(log: Log, security: SecurityKind, origin: string, facts: SecurityFacts): void {
  const key = `${security} ${origin}`;
  if (recent.has(key)) return;
  recent.set(key, true);
  logSecurity(log, security, facts);
}
