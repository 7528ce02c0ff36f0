import { Rejected } from '@caravan/kernel/rejected';
import type { Claims } from './claims.ts';
import type { SessionLiveness } from './session-liveness.ts';
import { RefusedToken } from './token-verifier.ts';

/**
 * The callers that a route admits. `public`: anyone; `guest`: anyone who is signed in; `errand`: also background work for a member; `member`: only once the address that their
 * invite asks for is confirmed (ADR 0026); `admin`: members who have that role.
 */
export type Access = 'public' | 'guest' | 'errand' | 'member' | 'admin';

/**
 * The rules of admission for the holder of a verified token; services and gateway have no others. Throws `Rejected`.
 * Deactivation and a change of role end every session, so the token of a live session states both correctly.
 */
export async function assertAccess(
  claims: Pick<Claims, 'sid' | 'role' | 'guest' | 'errand'>,
  access: Exclude<Access, 'public'>,
  sessions: Pick<SessionLiveness, 'assertLive'>,
): Promise<void> {
  if (claims.errand !== undefined) {
    if (access !== 'errand') throw new RefusedToken('wrong-claims');
    return;
  }
  await sessions.assertLive(claims.sid);
  if (claims.guest === true && access !== 'guest' && access !== 'errand') throw unconfirmedAddress();
  if (access === 'admin' && claims.role !== 'admin') throw notAnAdmin();
}

export const notAnAdminCode = 'auth/not-an-admin';

const notAnAdmin = () => new Rejected(notAnAdminCode, 'forbidden', 'Only admins of your organisation can do this.');

/** Not 403, which stands for a missing role and signs the web app out (D4). */
const unconfirmedAddress = () =>
  new Rejected(
    'email/unconfirmed',
    'conflict',
    'Please confirm your e-mail address first: your invite is for addresses of this organisation only.',
  );
