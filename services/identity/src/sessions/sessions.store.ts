import { randomUUIDv7 } from 'node:crypto';
import type { Caller } from '@caravan/auth/claims';
import type { Role } from '@caravan/contracts/events/fields';
import type { OwnSession } from '@caravan/contracts/http/people';
import type { Tx } from '@caravan/event-store/core/event-store';
import { tenantQuery } from '@caravan/event-store/postgres/connections';
import { deviceNameOf } from '@caravan/service-kit/telemetry/device-name';
import type { Pool } from '@caravan/service-kit/storage/pool';
import { exchangeToken, insertToken, lockedFamilyOf, type RefreshToken, tokenAfter } from './refresh-tokens.store.ts';
import type { SessionEnds } from './session-ends.service.ts';
import { expiryOf, idleAfter, sessionsPerPerson, verdictOn } from './session-rules.ts';
import type { OpenSession, SignedInPerson } from './session-rules.ts';

/** The person's session unseen for longest makes room. */
export async function openSession(
  tx: Tx,
  { orgId, userId }: { orgId: string; userId: string },
  { device, token, ends }: { device: string; token: RefreshToken; ends: SessionEnds },
  at: Date,
): Promise<OpenSession> {
  const sessionId = randomUUIDv7();
  const expiresAt = expiryOf(at);
  const idleAt = idleAfter(at, expiresAt);
  // Sessions of one person begin one after the other.
  await lockPerson(tx, { orgId, userId });
  await ends.leaveNewest(tx, { orgId, userId }, sessionsPerPerson - 1, at);
  await tx.query(
    `insert into sessions (session_id, org_id, user_id, device, created_at, last_seen_at, idle_at, expires_at)
      values ($1, $2, $3, $4, $5, $5, $6, $7)`,
    [sessionId, orgId, userId, device, at, idleAt, expiresAt],
  );
  await insertToken(tx, { token, sessionId, parentHash: null }, at);
  return { sessionId, refreshToken: token.text, idleAt };
}

/** Whoever changes a person's password or sessions holds this lock. */
export async function lockPerson(tx: Tx, { orgId, userId }: { orgId: string; userId: string }): Promise<void> {
  await tx.query('select from persons where org_id = $1 and user_id = $2 for no key update', [orgId, userId]);
}

/** Under the person's lock: password, role and account as they were a moment ago. */
export async function isStillProven(
  tx: Tx,
  { orgId, userId, passwordHash, role }: { orgId: string; userId: string; passwordHash: string; role: Role },
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `select from credentials c join memberships m on (m.org_id, m.user_id) = (c.org_id, c.user_id)
      join persons p on (p.org_id, p.user_id) = (c.org_id, c.user_id)
      where c.org_id = $1 and c.user_id = $2 and c.password_hash = $3 and (m.is_active or p.pending_domains <> '{}')
        and m.role = $4`,
    [orgId, userId, passwordHash, role],
  );
  return rowCount === 1;
}

export type Refreshed =
  | { readonly is: 'refreshed'; readonly session: OpenSession; readonly person: SignedInPerson }
  | { readonly is: 'reused'; readonly sessionId: string; readonly userId: string }
  | { readonly is: 'refused' };

/** One that comes again too late ends its session. */
export async function refreshSession(
  tx: Tx,
  token: RefreshToken,
  { refreshKey, ends }: { refreshKey: Buffer; ends: SessionEnds },
  at: Date,
): Promise<Refreshed> {
  const family = await lockedFamilyOf(tx, token);
  if (!family) return { is: 'refused' };
  const { sessionId, userId } = family;
  const verdict = verdictOn(family, family, at);
  if (verdict === 'over') return { is: 'refused' };
  if (verdict === 'reuse') {
    await ends.endOne(tx, { orgId: token.orgId, sessionId }, 'reuse', at);
    return { is: 'reused', sessionId, userId };
  }
  const person = await activePerson(tx, token.orgId, userId);
  if (!person) return { is: 'refused' };
  const next = tokenAfter(refreshKey, token);
  const idleAt = verdict === 'repeat' ? family.idleAt : idleAfter(at, family.expiresAt);
  if (verdict === 'exchange') {
    await exchangeToken(tx, { token, next, sessionId }, at);
    await tx.query('update sessions set last_seen_at = $2, idle_at = $3 where session_id = $1', [
      sessionId,
      at,
      idleAt,
    ]);
  }
  return { is: 'refreshed', session: { sessionId, refreshToken: next.text, idleAt }, person };
}

async function activePerson(tx: Tx, orgId: string, userId: string): Promise<SignedInPerson | undefined> {
  const { rows } = await tx.query<Omit<SignedInPerson, 'orgId' | 'userId' | 'role'> & { role: Role }>(
    `select p.name, p.email, p.profile_photo_url, m.role,
        p.pending_domains <> '{}' as is_guest
      from persons p join memberships m on (m.org_id, m.user_id) = (p.org_id, p.user_id)
      where p.org_id = $1 and p.user_id = $2 and (m.is_active or p.pending_domains <> '{}')`,
    [orgId, userId],
  );
  const [person] = rows;
  return person && { orgId, userId, ...person };
}

const isLive = 'ended_at is null and idle_at > $3 and expires_at > $3';

type Row = { id: string; device: string; createdAt: Date; lastSeenAt: Date };

export async function ownSessions(pool: Pool, { orgId, userId, sessionId, at }: Caller): Promise<OwnSession[]> {
  const { rows } = await tenantQuery<Row>(
    pool,
    orgId,
    `select session_id as id, device, created_at, last_seen_at
      from sessions where org_id = $1 and user_id = $2 and ${isLive} order by last_seen_at desc, session_id desc`,
    [orgId, userId, at],
  );
  return rows.map(({ id, device, createdAt, lastSeenAt }) => ({
    id,
    device: deviceNameOf(device),
    createdAt: createdAt.toISOString(),
    lastSeenAt: lastSeenAt.toISOString(),
    isCurrent: id === sessionId,
  }));
}

/** Unless another password was set meanwhile. */
export async function renewPasswordHash(
  tx: Tx,
  { orgId, userId }: { readonly orgId: string; readonly userId: string },
  { passwordHash, old }: { readonly passwordHash: string; readonly old: string },
): Promise<void> {
  await tx.query(
    'update credentials set password_hash = $3 where org_id = $1 and user_id = $2 and password_hash = $4',
    [orgId, userId, passwordHash, old],
  );
}
