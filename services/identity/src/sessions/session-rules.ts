import type { Role } from '@caravan/contracts/events/fields';

export type EndReason =
  | 'logout'
  | 'reuse'
  | 'displaced'
  | 'role-changed'
  | 'deactivated'
  | 'signed-out'
  | 'password-reset'
  | 'address-restored'
  | 'erased';

export type SignedInPerson = {
  readonly userId: string;
  readonly orgId: string;
  readonly name: string;
  readonly email: string;
  readonly role: Role;
  readonly profilePhotoUrl: string | null;
  /** In the organisation by an invite for some domains, but not let in before the address is confirmed. */
  readonly isGuest: boolean;
};

export type OpenSession = {
  readonly sessionId: string;
  readonly refreshToken: string;
  readonly idleAt: Date;
};

const dayMilliseconds = 86_400_000;

/** Without a refresh. */
export const idleDays = 7;
export const absoluteDays = 30;
/** The one unseen for longest makes room. */
export const sessionsPerPerson = 10;
/** The direct parent of the newest token may come again: its answer may have been lost, or two tabs raced. */
export const graceMilliseconds = 10_000;

export function expiryOf(startedAt: Date): Date {
  return new Date(startedAt.getTime() + absoluteDays * dayMilliseconds);
}

/** When a session seen now goes idle: never after its end. */
export function idleAfter(seenAt: Date, expiresAt: Date): Date {
  return new Date(Math.min(seenAt.getTime() + idleDays * dayMilliseconds, expiresAt.getTime()));
}

export type SessionTimes = { readonly idleAt: Date; readonly expiresAt: Date; readonly endedAt: Date | null };

export function isLive({ idleAt, expiresAt, endedAt }: SessionTimes, at: Date): boolean {
  return endedAt === null && at < idleAt && at < expiresAt;
}

export type PresentedToken = {
  readonly usedAt: Date | null;
  /** Whether the token it was exchanged for has been exchanged in turn. */
  readonly isChildUsed: boolean;
};

/** `exchange`: the newest. `repeat`: its parent within the grace. `reuse`: somebody holds a copy. `over`: ended. */
export type RefreshVerdict = 'exchange' | 'repeat' | 'reuse' | 'over';

export function verdictOn({ usedAt, isChildUsed }: PresentedToken, session: SessionTimes, at: Date): RefreshVerdict {
  if (!isLive(session, at)) return 'over';
  if (usedAt === null) return 'exchange';
  const isInGrace = at.getTime() - usedAt.getTime() <= graceMilliseconds;
  return isInGrace && !isChildUsed ? 'repeat' : 'reuse';
}
