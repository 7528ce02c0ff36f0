import { createHash, randomUUID } from 'node:crypto';
import { withSystem } from '@caravan/event-store/postgres/connections';
import type { Pool } from '@caravan/service-kit/storage/pool';
import type { AccountName } from '../ports.ts';
import type { Notice } from '../providers/index.ts';
import type { Rows } from '../rows/index.ts';
import { isNotPaused } from '../syncing/index.ts';
import { textOf } from './notice.ts';

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
    happenedAt: notice.at,
    receivedAt,
    dueAt,
  }));
  // In one order, so that processes that are told the same cannot wait crosswise.
  const data = all.toSorted((a, b) => (a.digest < b.digest ? -1 : 1));
  const { count } = await rows.ofEveryone().webhookNotice.createMany({ data, skipDuplicates: true });
  return count;
}

type Owned = AccountName & { readonly providerUserId: string };

/** The members, of any organisation, who have connected these accounts of the platform. */
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

/** Accounts with something due that nobody is at: its job was lost, or has died, or its platform was away. */
export async function dueAccounts(pool: Pool, now: Date): Promise<AccountName[]> {
  const { rows } = await withSystem(pool, (tx) =>
    tx.query<AccountName>(
      `select org_id, user_id, provider from webhook_inbox i
       where handled_at is null and due_at <= $1 and (leased_until is null or leased_until < $1)
         and (kind = 'revoked' or ${isNotPaused('i')})
       group by org_id, user_id, provider order by min(due_at) limit 500`,
      [now],
    ),
  );
  return rows;
}

/** Platforms deliver again for seven days. */
const keptMilliseconds = 8 * 24 * 3_600_000;

export async function deleteHandled(pool: Pool, now: Date): Promise<void> {
  const before = new Date(now.getTime() - keptMilliseconds);
  await withSystem(pool, (tx) => tx.query('delete from webhook_inbox where handled_at < $1', [before]));
}
