import type { Notification, Unread } from '@caravan/contracts/http/notifications';
import type { Cursor, PageQuery } from '@caravan/contracts/http/paging';
import { mutedByDefault, type NotificationKind } from '@caravan/contracts/domain/notification-kinds';
import type { Tx } from '@caravan/event-store/core/event-store';
import { tenantQuery } from '@caravan/event-store/postgres/connections';
import type { Cursors } from '@caravan/service-kit/http/cursors';
import { newestFirstKey } from '@caravan/service-kit/http/page';
import type { Pool } from '@caravan/service-kit/storage/pool';
import { linkOf, metricTextOf, type Notice, textOf } from './notice.ts';
import { isItemShownSql, noticeColumns, noticeTables } from './shown.ts';

type Reader = { readonly orgId: string; readonly userId: string };

export type NoticeRow = Notice & { readonly id: string; readonly raisedAt: Date; readonly isRead: boolean };

/** The first page is read like any other. */
const beforeAll = ['infinity', 'ffffffff-ffff-ffff-ffff-ffffffffffff'];

/** Of `[orgId, userId, raisedAt, noticeId, limit]`, what is older than the notice named. */
export const pageSql = `
  select ${noticeColumns} from ${noticeTables}
  where n.org_id = $1 and n.user_id = $2 and (n.raised_at, n.notice_id) < ($3, $4) and s.count > 0
  order by n.raised_at desc, n.notice_id desc limit $5`;

const unreadSql = `
  select count(*)::int as count from notices n
  where n.org_id = $1 and n.user_id = $2 and n.read_at is null and exists (
    select from notice_items i where i.org_id = n.org_id and i.notice_id = n.notice_id and ${isItemShownSql})`;

/** Throws `Rejected` for a cursor that is not ours. */
export async function pageOfNotifications(
  { pool, cursors }: { readonly pool: Pool; readonly cursors: Cursors },
  reader: Reader,
  { limit, cursor }: PageQuery,
): Promise<{ notifications: Notification[]; nextCursor: Cursor | undefined }> {
  const { orgId, userId } = reader;
  const pages = cursors.of({ operation: 'listNotifications', reader }, newestFirstKey);
  const before = pages.after(cursor) ?? beforeAll;
  const { rows } = await tenantQuery<NoticeRow>(pool, orgId, pageSql, [orgId, userId, ...before, limit + 1]);
  const page = pages.cut(rows, limit, ({ raisedAt, id }) => [raisedAt.toISOString(), id]);
  return { notifications: page.rows.map(notificationOf), nextCursor: page.nextCursor };
}

export async function unreadOf(tx: Tx, { orgId, userId }: Reader): Promise<Unread> {
  const { rows } = await tx.query<Unread>(unreadSql, [orgId, userId]);
  return rows[0] ?? { count: 0 };
}

export async function mutesOf(tx: Tx, { orgId, userId }: Reader): Promise<NotificationKind[]> {
  const { rows } = await tx.query<{ kinds: NotificationKind[] }>(
    'select kinds from notice_mutes where org_id = $1 and user_id = $2',
    [orgId, userId],
  );
  return rows[0]?.kinds ?? [...mutedByDefault];
}

function notificationOf(row: NoticeRow): Notification {
  const { id, kind, raisedAt, isRead, count } = row;
  const metricText = metricTextOf(row);
  const said = { text: textOf(row), ...(metricText !== undefined && { metricText }), link: linkOf(row) };
  return { id, kind, ...said, createdAt: raisedAt.toISOString(), isRead, count };
}
