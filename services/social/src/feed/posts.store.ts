import { forgottenActivityName, productActivities } from '@caravan/contracts/activities';
import type { movementLogged } from '@caravan/contracts/activity.events';
import type { PublicEventOf } from '@caravan/contracts/envelope';
import { newestOf } from '@caravan/contracts/log-news';
import { movementEndOf } from '@caravan/contracts/movement-end';
import type { Tx } from '@caravan/event-store/event-store';

type Shown = {
  readonly is: 'logged' | 'corrected';
  readonly orgId: string;
  /** 1 is the log as it was made. */
  readonly revision: number;
  readonly log: PublicEventOf<typeof movementLogged>['data'];
};

export type PostChange =
  Shown | { readonly is: 'removed'; readonly orgId: string; readonly log: { readonly logId: string } };

/** One statement for all. What was typed by somebody erased meanwhile is not written down. */
export async function writePosts(tx: Tx, all: readonly PostChange[]): Promise<void> {
  const changes = newestOf(all, ({ orgId, log }) => `${orgId} ${log.logId}`);
  const [logged, corrected] = [changes.filter(isShown('logged')), changes.filter(isShown('corrected'))];
  // Waits for erasures under way; the statements after it see what they left.
  const orgIds = [...logged, ...corrected].map(({ orgId }) => orgId);
  const locked = orgIds.length > 0 ? tx.query('select lock_posting($1)', [orgIds]) : undefined;
  await Promise.all([
    locked,
    logged.length > 0 && tx.query(insertSql, valuesOf(logged)),
    corrected.length > 0 && tx.query(updateSql, valuesOf(corrected)),
    takeDown(
      tx,
      changes.filter(({ is }) => is === 'removed'),
    ),
  ]);
}

const isShown =
  (how: Shown['is']) =>
  (change: PostChange): change is Shown =>
    change.is === how;

const shownSql = `
  select p.org_id, log_id, p.user_id, p.team_id,
    case when m.is_erased and activity_type <> all($12::text[]) then $13 else activity_type end as activity_type,
    duration_minutes, centimiles, source, case when m.is_erased then null else caption end as caption, created_at, revision
  from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::text[], $6::int[], $7::int[], $8::text[], $9::text[],
      $10::timestamptz[], $11::int[])
    as p (org_id, log_id, user_id, team_id, activity_type, duration_minutes, centimiles, source, caption, created_at, revision)
  left join members m on m.org_id = p.org_id and m.user_id = p.user_id and m.is_erased`;

const insertSql = `
  insert into posts (org_id, log_id, user_id, team_id, activity_type, duration_minutes, centimiles, source, caption,
    created_at, revision) ${shownSql}
  on conflict (org_id, log_id) do update set activity_type = excluded.activity_type, caption = excluded.caption,
    duration_minutes = excluded.duration_minutes, centimiles = excluded.centimiles, created_at = excluded.created_at,
    revision = excluded.revision
  where posts.revision < excluded.revision`;

const updateSql = `
  update posts p set activity_type = s.activity_type, duration_minutes = s.duration_minutes, centimiles = s.centimiles,
    caption = s.caption, created_at = s.created_at, revision = s.revision
  from (${shownSql}) s
  where p.org_id = s.org_id and p.log_id = s.log_id and p.revision < s.revision`;

async function takeDown(tx: Tx, gone: readonly PostChange[]): Promise<void> {
  if (gone.length === 0) return;
  await tx.query('delete from posts where (org_id, log_id) in (select * from unnest($1::uuid[], $2::uuid[]))', [
    gone.map(({ orgId }) => orgId),
    gone.map(({ log }) => log.logId),
  ]);
}

function valuesOf(shown: readonly Shown[]): unknown[] {
  const of = <Value>(value: (log: Shown['log']) => Value) => shown.map(({ log }) => value(log));
  return [
    shown.map(({ orgId }) => orgId),
    ...[of(({ logId }) => logId), of(({ userId }) => userId), of(({ teamId }) => teamId)],
    ...[of(({ activityType }) => activityType), of(({ durationMinutes }) => durationMinutes)],
    ...[
      of(({ centimiles }) => centimiles),
      of(({ source }) => source),
      of(({ caption }) => caption),
      of(movementEndOf),
    ],
    ...[shown.map(({ revision }) => revision), productActivities, forgottenActivityName],
  ];
}
