import { localDateOf, weekStartOf } from '@caravan/contracts/local-days';
import type { milesCredited } from '@caravan/contracts/scoring.events';
import type { Tx } from '@caravan/event-store/event-store';
import type { Consumed } from '@caravan/messaging/consumer';

type Credited = Consumed<typeof milesCredited>;

/** Corrections are entries of the day of their log, so that sums come out right. A fact is applied once (batch.ts). */
export async function addToWeeks(tx: Tx, credits: readonly Credited[]): Promise<void> {
  await Promise.all([addMiles(tx, credits), keepStreaks(tx, credits)]);
}

async function addMiles(tx: Tx, credits: readonly Credited[]): Promise<void> {
  await tx.query(
    `insert into recap_member_weeks (org_id, week_starts_on, user_id, team_id, centimiles)
     select org_id, week_starts_on, user_id, team_id, sum(centimiles)
     from unnest($1::uuid[], $2::date[], $3::uuid[], $4::uuid[], $5::bigint[])
       as c (org_id, week_starts_on, user_id, team_id, centimiles)
     group by 1, 2, 3, 4 order by 1, 2, 3, 4
     on conflict (org_id, week_starts_on, user_id, team_id)
     do update set centimiles = recap_member_weeks.centimiles + excluded.centimiles`,
    [
      credits.map(({ orgId }) => orgId),
      credits.map(({ data }) => weekStartOf(data.creditedOn)),
      credits.map(({ data }) => data.userId),
      credits.map(({ data }) => data.teamId),
      credits.map(({ data }) => data.centimiles),
    ],
  );
}

/** Runs of somebody erased meanwhile are theirs no more. */
async function keepStreaks(tx: Tx, credits: readonly Credited[]): Promise<void> {
  await tx.query(
    `insert into recap_streaks (org_id, user_id, started_on, ended_on, days, epoch, position)
     select distinct on (org_id, user_id) *
     from unnest($1::uuid[], $2::uuid[], $3::date[], $4::date[], $5::int[], $6::bigint[], $7::bigint[])
       as c (org_id, user_id, started_on, ended_on, days, epoch, position)
     where not exists (select from members m where (m.org_id, m.user_id) = (c.org_id, c.user_id) and m.is_erased)
     order by org_id, user_id, epoch desc, position desc
     on conflict (org_id, user_id) do update set started_on = excluded.started_on, ended_on = excluded.ended_on,
       days = excluded.days, epoch = excluded.epoch, position = excluded.position
     where (recap_streaks.epoch, recap_streaks.position) < (excluded.epoch, excluded.position)`,
    [
      credits.map(({ orgId }) => orgId),
      credits.map(({ data }) => data.userId),
      credits.map(({ data }) => data.latestRun?.startedOn ?? null),
      credits.map(({ data }) => data.latestRun?.endedOn ?? null),
      credits.map(({ data }) => data.streak?.days ?? null),
      credits.map(({ epochs }) => epochs.scoring ?? 0),
      credits.map(({ position }) => position),
    ],
  );
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
    `insert into recap_feats (org_id, user_id, kind, subject, name, happened_at)
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
  const { rows } = await tx.query<{ orgId: string; timeZone: string }>(
    'select org_id as "orgId", time_zone as "timeZone" from organisations where org_id = any($1::uuid[])',
    [signIns.map(({ orgId }) => orgId)],
  );
  const zones = new Map(rows.map(({ orgId, timeZone }) => [orgId, timeZone]));
  const dates = signIns.map(({ orgId, signedInAt }) => localDateOf(new Date(signedInAt), zones.get(orgId) ?? 'UTC'));
  await tx.query(
    `insert into recap_sign_ins (org_id, signed_in_on, count)
     select org_id, signed_in_on, count(*) from unnest($1::uuid[], $2::date[]) as s (org_id, signed_in_on)
     group by 1, 2 order by 1, 2
     on conflict (org_id, signed_in_on) do update set count = recap_sign_ins.count + excluded.count`,
    [signIns.map(({ orgId }) => orgId), dates],
  );
}
