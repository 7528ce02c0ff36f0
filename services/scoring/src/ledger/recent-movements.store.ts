import { forgottenActivityName, productActivities } from '@caravan/contracts/domain/movement/activities';
import { newestOf } from '@caravan/contracts/domain/movement/log-news';
import type { Tx } from '@caravan/event-store/core/event-store';

type ShownMovement = {
  readonly orgId: string;
  readonly logId: string;
  readonly userId: string;
  readonly teamId: string;
  readonly activityType: string;
  readonly centimiles: number;
  readonly endedAt: string;
  readonly loggedAt: string;
  readonly revision: number;
  readonly audience: 'organisation' | 'owner';
};

export type MovementNews =
  | ({ readonly is: 'logged' | 'corrected' } & ShownMovement)
  | { readonly is: 'removed'; readonly orgId: string; readonly logId: string };

export async function writeMovements(tx: Tx, all: readonly MovementNews[]): Promise<void> {
  const news = newestOf(all, ({ orgId, logId }) => `${orgId} ${logId}`);
  await insertLogged(tx, news.filter(isShown('logged')));
  await updateCorrected(tx, news.filter(isShown('corrected')));
  await removeTakenBack(
    tx,
    news.filter(({ is }) => is === 'removed'),
  );
}

const isShown =
  (how: 'logged' | 'corrected') =>
  (news: MovementNews): news is Extract<MovementNews, ShownMovement> =>
    news.is === how;

// What an erased member called an activity is not written down any more.
const shownSql = `
  select c.org_id, log_id, c.user_id, c.team_id,
    case when activity_type <> all($10::text[]) and exists (
      select from members m where m.org_id = c.org_id and m.user_id = c.user_id and m.is_erased
    ) then $11 else activity_type end as activity_type, centimiles, ended_at, revision, audience
  from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::text[], $6::int[], $7::timestamptz[], $8::int[],
      $9::text[])
    as c (org_id, log_id, user_id, team_id, activity_type, centimiles, ended_at, revision, audience)`;

async function insertLogged(tx: Tx, shown: readonly ShownMovement[]): Promise<void> {
  if (shown.length === 0) return;
  await tx.query(
    `insert into credited_movements (org_id, log_id, user_id, team_id, activity_type, centimiles, ended_at, revision,
       audience)
     ${shownSql}
     on conflict (org_id, log_id) do update set activity_type = excluded.activity_type, ended_at = excluded.ended_at,
       centimiles = excluded.centimiles, revision = excluded.revision, audience = excluded.audience
     where credited_movements.revision < excluded.revision`,
    valuesOf(shown),
  );
}

async function updateCorrected(tx: Tx, shown: readonly ShownMovement[]): Promise<void> {
  if (shown.length === 0) return;
  await tx.query(
    `update credited_movements m set activity_type = s.activity_type, centimiles = s.centimiles, ended_at = s.ended_at,
       revision = s.revision, audience = s.audience
     from (${shownSql}) s where m.org_id = s.org_id and m.log_id = s.log_id and m.revision < s.revision`,
    valuesOf(shown),
  );
}

async function removeTakenBack(tx: Tx, gone: readonly { orgId: string; logId: string }[]): Promise<void> {
  if (gone.length === 0) return;
  await tx.query(
    'delete from credited_movements where (org_id, log_id) in (select * from unnest($1::uuid[], $2::uuid[]))',
    [gone.map(({ orgId }) => orgId), gone.map(({ logId }) => logId)],
  );
}

function valuesOf(shown: readonly ShownMovement[]): unknown[] {
  const of = <Value>(value: (one: ShownMovement) => Value) => shown.map(value);
  return [
    of(({ orgId }) => orgId),
    of(({ logId }) => logId),
    of(({ userId }) => userId),
    of(({ teamId }) => teamId),
    of(({ activityType }) => activityType),
    of(({ centimiles }) => centimiles),
    of(({ endedAt }) => endedAt),
    of(({ revision }) => revision),
    of(({ audience }) => audience),
    productActivities,
    forgottenActivityName,
  ];
}
