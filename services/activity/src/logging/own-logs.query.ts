import { forgottenActivityName } from '@caravan/contracts/domain/movement/activities';
import type { Source } from '@caravan/contracts/domain/movement/sources';
import type { OwnLogsQuery, SameWorkout } from '@caravan/contracts/http/movement';
import type { Cursor } from '@caravan/contracts/http/paging';
import { milesOf } from '@caravan/contracts/domain/movement/miles';
import type { Tx } from '@caravan/event-store/core/event-store';
import { tenantQuery } from '@caravan/event-store/postgres/connections';
import type { Recorded } from '@caravan/event-store/core/projection';
import { selectList, jsonObject } from '@caravan/event-store/postgres/table';
import type { Cursors } from '@caravan/service-kit/http/cursors';
import { newestFirstKey } from '@caravan/service-kit/http/page';
import type { KeptPhoto } from '@caravan/service-kit/storage/photo-address';
import type { Pool } from '@caravan/service-kit/storage/pool';
import { keptPhotoSql } from '../photos/index.ts';
import { originOf } from './imported.ts';
import type { KeptLog } from './movement.service.ts';
import type { MovementEvent } from './movement-events.ts';
import { details, type MovementTexts, noDetails } from './texts.ts';

const pageSql = `
  select l.log_id as id, coalesce(t.activity_type, nullif(l.activity, 'custom'), '${forgottenActivityName}') as activity_type,
    l.duration_minutes, l.centimiles, l.multiplier::float8 as multiplier, l.source, l.audience,
    ${selectList(details, 't')},
    case when p.photo_id is not null then ${keptPhotoSql} end as photo,
    l.started_at, l.logged_on, l.logged_at as created_at,
    l.is_counted, l.override as counts_by_word, s.log_id as same_id, s.source as same_source,
    s.started_at as same_started_at,
    coalesce(st.activity_type, nullif(s.activity, 'custom'), '${forgottenActivityName}') as same_activity_type
  from movement_logs l left join movement_texts t on t.org_id = l.org_id and t.log_id = l.log_id
  left join photos p on p.org_id = l.org_id and p.log_id = l.log_id
  left join movement_logs s on s.org_id = l.org_id and s.log_id = l.same_as
  left join movement_texts st on st.org_id = s.org_id and st.log_id = s.log_id
  where l.org_id = $1 and l.user_id = $2 and (l.logged_at, l.log_id) < ($3, $4)
    and ($6::text is null or text_key(coalesce(t.activity_type, nullif(l.activity, 'custom'), '${forgottenActivityName}')) = (select text_key($6)))
    and l.logged_on between $7 and $8
    -- Nobody logs before moving: older logs than the first date need not be looked at, in whatever zone it was.
    and l.logged_at >= $7::date::timestamp at time zone 'UTC' - interval '15 hours'
  order by l.logged_at desc, l.log_id desc limit $5`;

const beforeAll = ['infinity', 'ffffffff-ffff-ffff-ffff-ffffffffffff'];

type Row = Omit<KeptLog, 'distanceMiles' | 'startedAt' | 'createdAt' | 'isImported' | 'importSource' | 'sameAs'> & {
  centimiles: number;
  startedAt: Date;
  createdAt: Date;
} & Same;

type Same = {
  readonly sameId: string | null;
  readonly sameSource: Source;
  readonly sameActivityType: string;
  readonly sameStartedAt: Date;
};

/** Throws `Rejected` invalid for a cursor that is not one of ours. */
export async function pageOfOwnLogs(
  { pool, cursors }: { readonly pool: Pool; readonly cursors: Cursors },
  reader: { orgId: string; userId: string },
  { limit, cursor, activityType, from, to }: OwnLogsQuery,
): Promise<{ logs: KeptLog[]; nextCursor: Cursor | undefined }> {
  const { orgId, userId } = reader;
  const pages = cursors.of({ operation: 'listOwnLogs', reader }, newestFirstKey);
  const before = pages.after(cursor) ?? beforeAll;
  const dates = [from ?? '-infinity', to ?? 'infinity'];
  const values = [orgId, userId, ...before, limit + 1, activityType || null, ...dates];
  const { rows } = await tenantQuery<Row>(pool, orgId, pageSql, values);
  const page = pages.cut(rows, limit, ({ createdAt, id: lastId }) => [createdAt.toISOString(), lastId]);
  return { logs: page.rows.map(ownLog), nextCursor: page.nextCursor };
}

function ownLog({ centimiles, startedAt, createdAt, ...row }: Row): KeptLog {
  const { sameId, sameSource, sameActivityType, sameStartedAt, ...log } = row;
  return {
    ...log,
    ...originOf(row.source),
    sameAs: sameAsIn({ sameId, sameSource, sameActivityType, sameStartedAt }),
    distanceMiles: milesOf(centimiles),
    startedAt: startedAt.toISOString(),
    createdAt: createdAt.toISOString(),
  };
}

const sameAsIn = ({ sameId, sameSource, sameActivityType, sameStartedAt }: Same): SameWorkout | null =>
  sameId === null
    ? null
    : { id: sameId, source: sameSource, activityType: sameActivityType, startedAt: sameStartedAt.toISOString() };

type KeptTexts = {
  readonly logId: string;
  readonly typed: Omit<MovementTexts, 'photo'> | null;
  photo: KeptPhoto | null;
};

/** Texts and photos of logs for those who are told of them again, as far as they are left. */
export async function movementTextsOf(tx: Tx, events: readonly Recorded<MovementEvent>[]): Promise<MovementTexts[]> {
  const { rows } = await tx.query<KeptTexts>(
    `select w.log_id, case when p.photo_id is not null then ${keptPhotoSql} end as photo,
       case when t.log_id is not null then ${jsonObject({ activityType: 'text', ...details }, 't')} end as typed
     from unnest($1::uuid[], $2::uuid[]) as w (org_id, log_id)
     left join movement_texts t on t.org_id = w.org_id and t.log_id = w.log_id
     left join photos p on p.org_id = w.org_id and p.log_id = w.log_id`,
    [events.map(({ orgId }) => orgId), events.map(({ data }) => data.logId)],
  );
  const found = new Map(rows.map(({ logId, ...kept }) => [logId, kept]));
  return events.map(({ data }) => {
    const { typed = null, photo = null } = found.get(data.logId) ?? {};
    return { ...(typed ?? { activityType: nameIn(data), ...noDetails }), photo };
  });
}

/** The product's own name for an activity; what a member called it has gone with the member. */
function nameIn(data: MovementEvent['data']): string {
  return 'activity' in data && data.activity !== 'custom' ? data.activity : forgottenActivityName;
}
