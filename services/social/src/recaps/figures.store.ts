import { weekStartOf } from '@caravan/contracts/domain/time/local-days';
import { onlyZone, organisationDateOf, type ZoneHistory } from '@caravan/contracts/domain/time/organisation-zone';
import { type milesCredited, shownStreakIn } from '@caravan/contracts/events/scoring.events';
import type { Tx } from '@caravan/event-store/core/event-store';
import type { Consumed } from '@caravan/messaging/consumer/consumer';
import { zonesSql } from '../directory/index.ts';
import { weekEndOf } from './recap.ts';

type Credited = Consumed<typeof milesCredited>;

/**
 * Corrections are entries of the day of their log, so that sums come out right. A fact is applied once (batch.ts). Each
 * row also takes the member's run of days, as colleagues may know of it, as of the newest entry; runs of somebody erased meanwhile are theirs no more.
 */
export async function addToWeeks(tx: Tx, credits: readonly Credited[]): Promise<void> {
  const newest = newestOfEach(credits);
  await tx.query(
    `with entries as (
       select org_id, week_starts_on, user_id, team_id, sum(centimiles) as centimiles
       from unnest($1::uuid[], $2::date[], $3::uuid[], $4::uuid[], $5::bigint[])
         as c (org_id, week_starts_on, user_id, team_id, centimiles)
       group by 1, 2, 3, 4
     ), runs as (
       select * from ${runsSql(6)}
     )
     insert into recap_member_weeks as w (org_id, week_starts_on, user_id, team_id, centimiles, ${runColumns})
     select org_id, week_starts_on, user_id, team_id, centimiles, ${runColumns}
     from entries left join runs using (org_id, user_id) order by 1, 2, 3, 4
     on conflict (org_id, week_starts_on, user_id, team_id) do update
       set centimiles = w.centimiles + excluded.centimiles, (${runColumns}) = (
         select * from (values (${columnsOf('w')}), (${columnsOf('excluded')})) as r (${runColumns})
         order by epoch desc nulls last, position desc nulls last limit 1)`,
    [
      credits.map(({ orgId }) => orgId),
      credits.map(weekOf),
      credits.map(({ data }) => data.userId),
      credits.map(({ data }) => data.teamId),
      credits.map(({ data }) => data.centimiles),
      ...valuesOf(newest.map(({ credit }) => credit)),
    ],
  );
  await keepLateRuns(tx, newest);
}

type Newest = { readonly credit: Credited; readonly lastWeek: string };

/** A recap reads the rows of its week and after it: what a late log or correction makes of a later run stands there too. */
async function keepLateRuns(tx: Tx, newest: readonly Newest[]): Promise<void> {
  const late = newest.filter(
    ({ credit: { data }, lastWeek }) => (shownStreakIn(data).latestRun?.endedOn ?? '') > weekEndOf(lastWeek),
  );
  if (late.length === 0) return;
  await tx.query(
    `update recap_member_weeks w set (${runColumns}) = (${columnsOf('r')}) from ${runsSql(1)}
     where (w.org_id, w.user_id) = (r.org_id, r.user_id) and w.week_starts_on = date_trunc('week', r.run_ended_on)::date
       and (w.position is null or (w.epoch, w.position) < (r.epoch, r.position))`,
    valuesOf(late.map(({ credit }) => credit)),
  );
}

const runColumns = 'run_started_on, run_ended_on, run_days, epoch, position';
const columnsOf = (row: string): string => runColumns.replaceAll(/\w+/g, (column) => `${row}.${column}`);

/** Runs of members who are not erased, from the parameters `valuesOf`, of which the first is `$first`. */
function runsSql(first: number): string {
  const types = ['uuid', 'uuid', 'date', 'date', 'int', 'bigint', 'bigint'];
  const parameters = types.map((type, nth) => `$${first + nth}::${type}[]`).join(', ');
  return `(
    select * from unnest(${parameters}) as r (org_id, user_id, ${runColumns})
    where not exists (select from members m where (m.org_id, m.user_id) = (r.org_id, r.user_id) and m.is_erased)) r`;
}

const valuesOf = (credits: readonly Credited[]): unknown[] => [
  credits.map(({ orgId }) => orgId),
  credits.map(({ data }) => data.userId),
  credits.map(({ data }) => shownStreakIn(data).latestRun?.startedOn ?? null),
  credits.map(({ data }) => shownStreakIn(data).latestRun?.endedOn ?? null),
  credits.map(({ data }) => shownStreakIn(data).streak?.days ?? null),
  credits.map(epochOf),
  credits.map(({ position }) => position),
];

const weekOf = ({ data }: Credited): string => weekStartOf(data.creditedOn);
const epochOf = ({ epochs }: Credited): number => epochs.scoring ?? 0;

/** Of each member the newest of these entries, and the last of their weeks. */
function newestOfEach(credits: readonly Credited[]): Newest[] {
  return [...Map.groupBy(credits, ({ orgId, data }) => `${orgId} ${data.userId}`).values()].map((own) => {
    const newer = (one: Credited, other: Credited) => epochOf(other) - epochOf(one) || other.position - one.position;
    const [credit] = own.toSorted(newer) as [Credited, ...Credited[]];
    return { credit, lastWeek: own.map(weekOf).toSorted().at(-1) ?? weekOf(credit) };
  });
}

export type Feat = {
  readonly orgId: string;
  readonly userId: string;
  readonly kind: 'weekly-challenge' | 'bonus-challenge' | 'badge';
  readonly subject: string;
  readonly name: string | null;
  readonly happenedAt: string;
};

/** A bonus that was taken back and claimed again counts where it came first. Of a closed organisation no name is kept. */
export async function keepFeats(tx: Tx, feats: readonly Feat[]): Promise<void> {
  await tx.query(
    `insert into recap_achievements (org_id, user_id, kind, subject, name, happened_at)
     select f.org_id, f.user_id, f.kind, f.subject, case when o.is_closed then null else f.name end, f.happened_at
     from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::timestamptz[])
       as f (org_id, user_id, kind, subject, name, happened_at)
     left join organisations o on o.org_id = f.org_id
     order by 1, 2, 3, 4 on conflict do nothing`,
    [
      feats.map(({ orgId }) => orgId),
      feats.map(({ userId }) => userId),
      feats.map(({ kind }) => kind),
      feats.map(({ subject }) => subject),
      feats.map(({ name }) => name),
      feats.map(({ happenedAt }) => happenedAt),
    ],
  );
}

type SignIn = { readonly orgId: string; readonly signedInAt: string };

/** By the organisation's date; one whose zone is not known yet counts by UTC. */
export async function countSignIns(tx: Tx, signIns: readonly SignIn[]): Promise<void> {
  const { rows } = await tx.query<{ orgId: string; zones: ZoneHistory }>(
    `select org_id, ${zonesSql} as zones from organisations o where org_id = any($1::uuid[])`,
    [signIns.map(({ orgId }) => orgId)],
  );
  const known = new Map(rows.map(({ orgId, zones }) => [orgId, zones]));
  const dates = signIns.map(({ orgId, signedInAt }) =>
    organisationDateOf(known.get(orgId) ?? onlyZone('UTC'), new Date(signedInAt)),
  );
  await tx.query(
    `insert into recap_sign_ins (org_id, signed_in_on, count)
     select org_id, signed_in_on, count(*) from unnest($1::uuid[], $2::date[]) as s (org_id, signed_in_on)
     group by 1, 2 order by 1, 2
     on conflict (org_id, signed_in_on) do update set count = recap_sign_ins.count + excluded.count`,
    [signIns.map(({ orgId }) => orgId), dates],
  );
}
