import { latestStartOf } from '@caravan/contracts/domain/movement/streak';
import type { StreakRun } from '@caravan/contracts/domain/movement/streak';
import type { Tx } from '@caravan/event-store/core/event-store';
import type { LatestRun, MemberSnapshot } from './streaks.ts';

type Whose = { readonly orgId: string; readonly userId: string };

const upsert = `
  on conflict (org_id, user_id) do update set started_on = excluded.started_on, days_before = excluded.days_before,
    freezes = excluded.freezes`;

/** Written with a new run, not with every log. */
export async function keepStart(
  tx: Tx,
  { orgId, userId }: Whose,
  { before, latest }: { before: MemberSnapshot; latest: LatestRun },
): Promise<void> {
  const start = latest?.start;
  if (!start) {
    await tx.query('delete from streak_starts where org_id = $1 and user_id = $2', [orgId, userId]);
    return;
  }
  const { startedOn, daysBefore, freezes } = start;
  const { start: known } = before;
  if (known?.startedOn === startedOn && known.daysBefore === daysBefore && known.freezes === freezes) return;
  await tx.query(
    `insert into streak_starts (org_id, user_id, started_on, days_before, freezes) values ($1, $2, $3, $4, $5) ${upsert}`,
    [orgId, userId, startedOn, daysBefore, freezes],
  );
}

/** What a rebuild of the runs does for the members of a batch: the rule of freezes stands in `latestStartOf` alone. */
export async function renewStarts(tx: Tx, members: readonly Whose[]): Promise<void> {
  const keys = [...new Map(members.map((one) => [`${one.orgId} ${one.userId}`, one])).values()];
  const values = [keys.map(({ orgId }) => orgId), keys.map(({ userId }) => userId)];
  const { rows } = await tx.query<Whose & { runs: StreakRun[] }>(
    `select k.org_id, k.user_id, (
       select coalesce(json_agg(json_build_object('startedOn', r.started_on, 'endedOn', r.ended_on) order by r.started_on), '[]')
       from streak_runs r where r.org_id = k.org_id and r.user_id = k.user_id) as runs
     from unnest($1::uuid[], $2::uuid[]) as k (org_id, user_id)`,
    values,
  );
  const starts = rows.flatMap(({ orgId, userId, runs }) => {
    const start = latestStartOf(runs);
    return start ? [{ org_id: orgId, user_id: userId, ...columnsOf(start) }] : [];
  });
  await tx.query(
    `delete from streak_starts s using unnest($1::uuid[], $2::uuid[]) as k (org_id, user_id)
     where s.org_id = k.org_id and s.user_id = k.user_id`,
    values,
  );
  await tx.query(
    `insert into streak_starts (org_id, user_id, started_on, days_before, freezes)
     select * from json_to_recordset($1) as s (org_id uuid, user_id uuid, started_on date, days_before integer,
       freezes smallint) ${upsert}`,
    [JSON.stringify(starts)],
  );
}

const columnsOf = ({ startedOn, daysBefore, freezes }: NonNullable<LatestRun>['start']) => ({
  started_on: startedOn,
  days_before: daysBefore,
  freezes,
});
