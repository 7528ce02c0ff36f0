import { forgottenActivityName, productActivities } from '@caravan/contracts/domain/movement/activities';
import type { movementLogged } from '@caravan/contracts/events/activity.events';
import type { PublicEventOf } from '@caravan/contracts/events/envelope';
import { newestOf } from '@caravan/contracts/domain/movement/log-news';
import { movementEndOf } from '@caravan/contracts/domain/movement/movement-end';
import type { checkpointReached } from '@caravan/contracts/events/scoring.events';
import type { Tx } from '@caravan/event-store/core/event-store';
import {
  assignmentList,
  columnDefinitions,
  columnList,
  columnOf,
  recordOf,
  type RecordOf,
} from '@caravan/event-store/postgres/table';

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
  const logged = changes.filter(isShown('logged'));
  const corrected = changes.filter(isShown('corrected'));
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

/** Columns with words of a member or figures of a device. They stay empty for members who are erased. */
const ownWords = {
  caption: 'text null',
  location: 'text null',
  photoPath: 'text null',
  photo: 'jsonb null',
  heartRate: 'integer null',
  calories: 'integer null',
} as const;

/** Columns that a correction updates. */
const corrigible = {
  activityType: 'text',
  durationMinutes: 'integer',
  centimiles: 'integer',
  createdAt: 'timestamptz',
  revision: 'integer',
  bonusChallengeId: 'uuid null',
  audience: 'text',
  ...ownWords,
} as const;

const post = {
  orgId: 'uuid',
  logId: 'uuid',
  userId: 'uuid',
  teamId: 'uuid',
  source: 'text',
  ...corrigible,
} as const;

function shownColumn(name: string): string {
  const column = columnOf(name);
  if (name === 'activityType')
    return `case when m.is_erased and p.activity_type <> all($2::text[]) then $3 else p.activity_type end as activity_type`;
  return name in ownWords ? `case when m.is_erased then null else p.${column} end as ${column}` : `p.${column}`;
}

const shownSql = `
  select ${Object.keys(post).map(shownColumn).join(', ')}
  from json_to_recordset($1) as p (${columnDefinitions(post)})
  left join members m on m.org_id = p.org_id and m.user_id = p.user_id and m.is_erased`;

const insertSql = `
  insert into posts (${columnList(post)})
  ${shownSql}
  on conflict (org_id, log_id) do update set ${assignmentList(corrigible, 'excluded')}
  where posts.revision < excluded.revision`;

const updateSql = `
  update posts p set ${assignmentList(corrigible, 's')}
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
  JSON.stringify(shown.map((one) => recordOf(post, postOf(one)))),
  productActivities,
  forgottenActivityName,
];

const postOf = ({ orgId, revision, log }: Shown): RecordOf<typeof post> => ({
  ...log,
  orgId,
  revision,
  createdAt: movementEndOf(log),
  bonusChallengeId: log.bonusChallengeId,
  photo: log.photoPath === null ? null : log.photo,
});

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
