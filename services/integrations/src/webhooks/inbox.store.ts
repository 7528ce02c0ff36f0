import type { AccountName } from '../ports.ts';
import type { Rows } from '../rows/index.ts';
import type { Kept } from './notice.ts';

const leaseMilliseconds = 120_000;
const atOnce = 20;

/** Also one that is to be connected anew. */
export async function isKnown(rows: Rows, { orgId, userId, provider }: AccountName): Promise<boolean> {
  return (await rows.of(orgId).providerAccount.count({ where: { orgId, userId, provider } })) > 0;
}

export type Claimed = Kept & { readonly tries: number };

/** Some that are due, for this process alone; another one may have them once the lease is over. */
export async function claim(rows: Rows, account: AccountName): Promise<Claimed[]> {
  const now = new Date();
  const isDue = { handledAt: null, dueAt: { lte: now }, OR: [{ leasedUntil: null }, { leasedUntil: { lt: now } }] };
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
    data: { leasedUntil: new Date(now.getTime() + leaseMilliseconds), tries: { increment: 1 } },
    select: { noticeId: true, kind: true, externalId: true, fromAt: true, toAt: true, tries: true },
  });
}

export async function markHandled(rows: Rows, orgId: string, noticeIds: readonly string[]): Promise<void> {
  await rows.of(orgId).webhookNotice.updateMany({
    where: { orgId, noticeId: { in: [...noticeIds] } },
    data: { handledAt: new Date(), leasedUntil: null },
  });
}

export async function postpone(
  rows: Rows,
  orgId: string,
  noticeIds: readonly string[],
  seconds: number,
): Promise<void> {
  await rows.of(orgId).webhookNotice.updateMany({
    where: { orgId, noticeId: { in: [...noticeIds] }, handledAt: null },
    data: { leasedUntil: null, dueAt: new Date(Date.now() + seconds * 1_000) },
  });
}
