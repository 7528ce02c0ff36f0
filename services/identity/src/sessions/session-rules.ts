import type { Role } from '@caravan/contracts/fields';

/** Why a session ended before its time. */
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

/** Somebody who proved who they are. */
export type SignedInPerson = {
  readonly userId: string;
  readonly orgId: string;
  readonly name: string;
  readonly email: string;
  readonly role: Role;
  readonly profilePhotoUrl: string | null;
  /** Joined by an invite for some domains and has not confirmed the address: in the organisation, but not let in. */
  readonly isGuest: boolean;
};

/** A session that has just begun or gone on: nothing of it is announced before the commit. */
export type OpenSession = {
  readonly sessionId: string;
  readonly refreshToken: string;
  readonly idleAt: Date;
  /** Sessions that had to make room. */
  readonly displaced: readonly string[];
};

const dayMilliseconds = 86_400_000;

/** A session ends when nobody refreshed it for this long. */
export const idleDays = 7;
/** And after this long in any case. */
export const absoluteDays = 30;
/** The most sessions a person has at a time; the one unseen for longest makes room. */
export const sessionsPerPerson = 10;
/** How long the direct parent of the newest token may come again: its answer may have been lost, or two tabs raced. */
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
  /** When it was exchanged; null while it is the newest of its session. */
  readonly usedAt: Date | null;
  /** Whether the token it was exchanged for has been exchanged in turn. */
  readonly isChildUsed: boolean;
};

/**
 * What a presented refresh token means. `exchange`: the newest, take it. `repeat`: its direct parent within the grace,
 * give the same answer again. `reuse`: an older one, so somebody holds a copy. `over`: the session has ended.
 */
export type RefreshVerdict = 'exchange' | 'repeat' | 'reuse' | 'over';

export function verdictOn({ usedAt, isChildUsed }: PresentedToken, session: SessionTimes, at: Date): RefreshVerdict {
  if (!isLive(session, at)) return 'over';
  if (usedAt === null) return 'exchange';
  const isInGrace = at.getTime() - usedAt.getTime() <= graceMilliseconds;
  return isInGrace && !isChildUsed ? 'repeat' : 'reuse';
}
