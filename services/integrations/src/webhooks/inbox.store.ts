import { createHash, randomUUID } from 'node:crypto';
import type { AccountName } from '../ports.ts';
import type { Notice } from '../providers/index.ts';
import type { Tx } from '@caravan/event-store/core/event-store';
import { isNotPaused } from '../syncing/index.ts';
import type { Rows } from '../rows/index.ts';
import { type Kept, textOf } from './notice.ts';

const leaseMilliseconds = 120_000;
const atOnce = 20;

export type Received = { readonly account: AccountName; readonly notice: Notice; readonly dueAt: Date };

/** The first step of everything that a platform tells: what is there twice is there once. Answers how many are new. */
export async function receive(rows: Rows, received: readonly Received[]): Promise<number> {
  if (received.length === 0) return 0;
  const receivedAt = new Date();
  const all = received.map(({ account: { orgId, userId, provider }, notice, dueAt }) => ({
    orgId,
    userId,
    provider,
    noticeId: randomUUID(),
    kind: notice.kind,
    digest: createHash('sha256').update(textOf(notice)).digest('base64url'),
    externalId: notice.kind === 'revoked' ? null : notice.externalId,
    fromAt: notice.kind === 'revoked' ? null : notice.from,
    toAt: notice.kind === 'revoked' ? null : notice.to,
    toldAt: notice.at,
    receivedAt,
    dueAt,
  }));
  // In one order, so that processes that are told the same cannot wait crosswise.
  const data = all.toSorted((a, b) => (a.digest < b.digest ? -1 : 1));
  const { count } = await rows.ofEveryone().webhookNotice.createMany({ data, skipDuplicates: true });
  return count;
}

type Owned = AccountName & { readonly providerUserId: string };

/** Whose accounts they are, in whichever organisation. */
export async function ownersOf(
  rows: Rows,
  provider: AccountName['provider'],
  providerUserIds: readonly string[],
): Promise<Owned[]> {
  const found = await rows.ofEveryone().providerAccount.findMany({
    where: { provider, providerUserId: { in: [...new Set(providerUserIds)] } },
    select: { orgId: true, userId: true, providerUserId: true },
  });
  return found.map((one) => ({ ...one, provider }));
}

/** Also one that is to be connected anew. */
export async function isKnown(rows: Rows, { orgId, userId, provider }: AccountName): Promise<boolean> {
  return (await rows.of(orgId).providerAccount.count({ where: { orgId, userId, provider } })) > 0;
}

export type Claimed = Kept & { readonly tries: number };

/** Some that are due, for this process alone; another one may have them once the lease is over. */
export async function claim(rows: Rows, account: AccountName): Promise<Claimed[]> {
  const now = new Date();
  const isDue = { doneAt: null, dueAt: { lte: now }, OR: [{ takenUntil: null }, { takenUntil: { lt: now } }] };
  const { orgId, userId } = account;
  const isPaused = (await rows.of(orgId).deactivatedMember.count({ where: { orgId, userId } })) > 0;
  // Data that a platform is no longer permitted to hold has to go, also while its member is deactivated (S23).
  const isFree = isPaused ? { ...isDue, kind: 'revoked' } : isDue;
  const tables = rows.of(account.orgId);
  const due = await tables.webhookNotice.findMany({
    where: { ...account, ...isFree },
    orderBy: { receivedAt: 'asc' },
    take: atOnce,
    select: { noticeId: true },
  });
  if (due.length === 0) return [];
  return tables.webhookNotice.updateManyAndReturn({
    where: { orgId: account.orgId, noticeId: { in: due.map(({ noticeId }) => noticeId) }, ...isFree },
    data: { takenUntil: new Date(now.getTime() + leaseMilliseconds), tries: { increment: 1 } },
    select: { noticeId: true, kind: true, externalId: true, fromAt: true, toAt: true, tries: true },
  });
}

export async function done(rows: Rows, orgId: string, noticeIds: readonly string[]): Promise<void> {
  await rows.of(orgId).webhookNotice.updateMany({
    where: { orgId, noticeId: { in: [...noticeIds] } },
    data: { doneAt: new Date(), takenUntil: null },
  });
}

export async function postpone(
  rows: Rows,
  orgId: string,
  noticeIds: readonly string[],
  seconds: number,
): Promise<void> {
  await rows.of(orgId).webhookNotice.updateMany({
    where: { orgId, noticeId: { in: [...noticeIds] }, doneAt: null },
    data: { takenUntil: null, dueAt: new Date(Date.now() + seconds * 1_000) },
  });
}

/** Accounts with something due that nobody is at: its job was lost, or has died, or its platform was away. */
export async function dueAccounts(tx: Tx, now: Date): Promise<AccountName[]> {
  const { rows } = await tx.query<AccountName>(
    `select org_id as "orgId", user_id as "userId", provider from webhook_inbox i
     where done_at is null and due_at <= $1 and (taken_until is null or taken_until < $1)
       and (kind = 'revoked' or ${isNotPaused('i')})
     group by org_id, user_id, provider order by min(due_at) limit 500`,
    [now],
  );
  return rows;
}

/** Platforms deliver again for seven days. */
const keptMilliseconds = 8 * 24 * 3_600_000;

export async function forgetDone(tx: Tx, now: Date): Promise<void> {
  await tx.query('delete from webhook_inbox where done_at < $1', [new Date(now.getTime() - keptMilliseconds)]);
}
