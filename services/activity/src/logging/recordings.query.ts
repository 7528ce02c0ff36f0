import { forgottenActivityName } from '@caravan/contracts/domain/movement/activities';
import { sourceSchema } from '@caravan/contracts/events/fields';
import type { Source } from '@caravan/contracts/domain/movement/sources';
import type { SameWorkout } from '@caravan/contracts/http/movement';
import { nearMilliseconds, type Recording } from '@caravan/contracts/domain/movement/same-workout';
import { coalesce } from '@caravan/event-store/postgres/coalesce';
import type { PersonUnit, Tx } from '@caravan/event-store/core/event-store';
import type { NotCounted } from './movement-events.ts';

/** A log of a member as it is stored, with whether it counts (D25). */
export type StoredRecording = Recording & { readonly notCounted: NotCounted | null };

type Stretch = { readonly orgId: string; readonly userId: string; readonly from: Date; readonly to: Date };

type Row = Omit<StoredRecording, 'source' | 'notCounted'> & {
  readonly nth: number;
  readonly source: string;
  readonly isCounted: boolean;
  readonly sameAs: string | null;
  readonly sameSource: string | null;
};

const columns = `
  l.log_id as id, l.source, l.started_at, l.duration_minutes, l.audience,
  l.is_scored, coalesce(l.creditable_at, l.logged_at) as creditable_at,
  l.override, l.is_counted, l.same_as,
  (select s.source from movement_logs s where s.org_id = l.org_id and s.log_id = l.same_as) as same_source`;

// A log is made after the movement began, so the index of the newest logs leads to those that began since.
const betweenSql = `
  select a.nth::int as nth, ${columns}
  from rows from (unnest($1::uuid[], $2::uuid[], $3::timestamptz[], $4::timestamptz[])) with ordinality
    as a (org_id, user_id, from_at, to_at, nth)
  join movement_logs l on l.org_id = a.org_id and l.user_id = a.user_id and l.logged_at >= a.from_at
    and l.started_at between a.from_at and a.to_at`;

async function between(tx: Tx, all: readonly Stretch[]): Promise<StoredRecording[][]> {
  const { rows } = await tx.query<Row>(betweenSql, [
    all.map(({ orgId }) => orgId),
    all.map(({ userId }) => userId),
    all.map(({ from }) => from),
    all.map(({ to }) => to),
  ]);
  return all.map((_, index) => rows.filter(({ nth }) => nth === index + 1).map(recordingOf));
}

/** The member's logs that began at most so long before or after the given ones. */
export function recordingsAround(
  { tx, meta }: PersonUnit,
  spans: readonly Pick<Recording, 'startedAt'>[],
  milliseconds: number = nearMilliseconds,
): Promise<readonly StoredRecording[]> {
  const instants = spans.map(({ startedAt }) => startedAt.getTime());
  if (instants.length === 0) return Promise.resolve([]);
  const from = new Date(Math.min(...instants) - milliseconds);
  const to = new Date(Math.max(...instants) + milliseconds);
  return coalesce(tx, between, { orgId: meta.orgId, userId: meta.key.id, from, to });
}

/** One of the member's logs; undefined where there is none of that id. */
export async function recordingOfLog({ tx, meta }: PersonUnit, logId: string): Promise<StoredRecording | undefined> {
  return coalesce(tx, ofLogs, { orgId: meta.orgId, userId: meta.key.id, logId });
}

type LogName = { readonly orgId: string; readonly userId: string; readonly logId: string };

async function ofLogs(tx: Tx, all: readonly LogName[]): Promise<(StoredRecording | undefined)[]> {
  const { rows } = await tx.query<Omit<Row, 'nth'>>(
    `select ${columns} from movement_logs l
     where (l.org_id, l.log_id, l.user_id) in (select * from unnest($1::uuid[], $2::uuid[], $3::uuid[]))`,
    [all.map(({ orgId }) => orgId), all.map(({ logId }) => logId), all.map(({ userId }) => userId)],
  );
  const found = new Map(rows.map((row) => [row.id, recordingOf(row)]));
  return all.map(({ logId }) => found.get(logId));
}

function recordingOf({ isCounted, sameAs, sameSource, source, ...row }: Omit<Row, 'nth'> & { nth?: number }) {
  const { nth: _, ...recording } = row;
  const named = sameAs !== null && sameSource !== null;
  const same = named ? { logId: sameAs, source: sourceSchema.parse(sameSource) } : null;
  return { ...recording, source: sourceSchema.parse(source), notCounted: isCounted ? null : { sameAs: same } };
}

/** A log's name for its owner, who is told that the same workout counts by it. */
export async function namedWorkout({ tx, meta }: PersonUnit, logId: string): Promise<SameWorkout | null> {
  const { rows } = await tx.query<{ id: string; source: Source; activityType: string; startedAt: Date }>(
    `select l.log_id as id, l.source, l.started_at,
       coalesce(t.activity_type, nullif(l.activity, 'custom'), '${forgottenActivityName}') as activity_type
     from movement_logs l left join movement_texts t on t.org_id = l.org_id and t.log_id = l.log_id
     where l.org_id = $1 and l.log_id = $2 and l.user_id = $3`,
    [meta.orgId, logId, meta.key.id],
  );
  const [row] = rows;
  return row ? { ...row, startedAt: row.startedAt.toISOString() } : null;
}
