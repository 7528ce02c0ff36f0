import { forgottenActivityName, productActivities } from '@caravan/contracts/domain/movement/activities';
import type { movementLogged } from '@caravan/contracts/events/activity.events';
import type { PublicEventOf } from '@caravan/contracts/events/envelope';
import { newestOf } from '@caravan/contracts/domain/movement/log-news';
import { movementEndOf } from '@caravan/contracts/domain/movement/movement-end';
import type { checkpointReached } from '@caravan/contracts/events/scoring.events';
import type { Tx } from '@caravan/event-store/core/event-store';

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
    case when m.is_erased and activity_type <> all($2::text[]) then $3 else activity_type end as activity_type,
    duration_minutes, centimiles, source, case when m.is_erased then null else caption end as caption, created_at,
    revision, case when m.is_erased then null else location end as location, bonus_challenge_id, audience,
    case when m.is_erased then null else photo_path end as photo_path,
    case when m.is_erased then null else photo end as photo,
    case when m.is_erased then null else heart_rate end as heart_rate,
    case when m.is_erased then null else calories end as calories
  from json_to_recordset($1) as p (org_id uuid, log_id uuid, user_id uuid, team_id uuid, activity_type text,
    duration_minutes int, centimiles int, source text, caption text, created_at timestamptz, revision int, location text,
    bonus_challenge_id uuid, audience text, photo_path text, photo jsonb, heart_rate int, calories int)
  left join members m on m.org_id = p.org_id and m.user_id = p.user_id and m.is_erased`;

const insertSql = `
  insert into posts (org_id, log_id, user_id, team_id, activity_type, duration_minutes, centimiles, source, caption,
    created_at, revision, location, bonus_challenge_id, audience, photo_path, photo, heart_rate, calories)
  ${shownSql}
  on conflict (org_id, log_id) do update set activity_type = excluded.activity_type, caption = excluded.caption,
    duration_minutes = excluded.duration_minutes, centimiles = excluded.centimiles, created_at = excluded.created_at,
    revision = excluded.revision, location = excluded.location, bonus_challenge_id = excluded.bonus_challenge_id,
    audience = excluded.audience, photo_path = excluded.photo_path, photo = excluded.photo,
    heart_rate = excluded.heart_rate, calories = excluded.calories
  where posts.revision < excluded.revision`;

const updateSql = `
  update posts p set activity_type = s.activity_type, duration_minutes = s.duration_minutes, centimiles = s.centimiles,
    caption = s.caption, created_at = s.created_at, revision = s.revision, location = s.location,
    bonus_challenge_id = s.bonus_challenge_id, audience = s.audience, photo_path = s.photo_path, photo = s.photo,
    heart_rate = s.heart_rate, calories = s.calories
  from (${shownSql}) s
  where p.org_id = s.org_id and p.log_id = s.log_id and p.revision < s.revision`;

async function takeDown(tx: Tx, gone: readonly PostChange[]): Promise<void> {
  if (gone.length === 0) return;
  const values = [gone.map(({ orgId }) => orgId), gone.map(({ log }) => log.logId)];
  await tx.query('delete from posts where (org_id, log_id) in (select * from unnest($1::uuid[], $2::uuid[]))', values);
  // After the posts: whoever comments holds theirs.
  await tx.query(
    'delete from comments where (org_id, entry_id) in (select * from unnest($1::uuid[], $2::uuid[]))',
    values,
  );
}

const valuesOf = (shown: readonly Shown[]): unknown[] => [
  JSON.stringify(shown.map(rowOf)),
  productActivities,
  forgottenActivityName,
];

function rowOf({ orgId, revision, log }: Shown): object {
  return {
    org_id: orgId,
    log_id: log.logId,
    user_id: log.userId,
    team_id: log.teamId,
    revision,
    activity_type: log.activityType,
    duration_minutes: log.durationMinutes,
    centimiles: log.centimiles,
    source: log.source,
    caption: log.caption,
    location: log.location,
    created_at: movementEndOf(log),
    bonus_challenge_id: log.bonusChallengeId ?? null,
    audience: log.audience,
    photo_path: log.photoPath,
    photo: log.photoPath === null ? null : log.photo,
    heart_rate: log.heartRate,
    calories: log.calories,
  };
}

type Checkpoint = PublicEventOf<typeof checkpointReached>['data'];

export async function storeCheckpointEntry(
  tx: Tx,
  { orgId, id }: { readonly orgId: string; readonly id: string },
  checkpoint: Checkpoint,
): Promise<void> {
  await tx.query(
    `insert into checkpoint_entries
         (org_id, entry_id, journey_id, team_id, checkpoint_name, route_name, mile_mark, is_last, reached_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9) on conflict do nothing`,
    [
      orgId,
      id,
      checkpoint.journeyId,
      checkpoint.teamId,
      checkpoint.checkpointName,
      checkpoint.routeName,
      checkpoint.mileMark,
      checkpoint.isLast,
      checkpoint.reachedAt,
    ],
  );
}
