import type { Tx } from '@caravan/event-store/core/event-store';
import { plannedWeek } from './weeks.query.ts';
import type { PlannedChallenge, Week } from './weeks.query.ts';

/** One statement, so that of two who open the same week only one does. */
const openSql = `
  with opened as (
    insert into challenge_weeks (org_id, week_starts_on, opened_at)
    select org_id, $2, $3 from organisations where org_id = $1 and not is_closed
    on conflict (org_id, week_starts_on) do nothing returning week_starts_on
  )
  insert into weekly_challenges (org_id, challenge_id, week_starts_on, place, name, description, target_value, target_unit,
    bonus_centimiles, challenge_type)
  select $1, t.challenge_id, o.week_starts_on, t.place, t.name, t.description, t.target_value, t.target_unit,
    t.bonus_centimiles, t.challenge_type
  from opened o, unnest($4::uuid[], $5::text[], $6::text[], $7::numeric[], $8::text[], $9::int[], $10::text[])
    with ordinality as t (challenge_id, name, description, target_value, target_unit, bonus_centimiles, challenge_type, place)`;

export async function openWeek(tx: Tx, week: Week & { readonly at: Date }): Promise<boolean> {
  const planned = await plannedWeek(tx, week);
  const of = <Value>(value: (challenge: PlannedChallenge) => Value) => planned.map(value);
  const { rowCount } = await tx.query(openSql, [
    week.orgId,
    week.startsOn,
    week.at,
    of(({ id }) => id),
    of(({ name }) => name),
    of(({ description }) => description),
    of(({ targetValue }) => targetValue),
    of(({ targetUnit }) => targetUnit),
    of(({ bonusCentimiles }) => bonusCentimiles),
    of(({ challengeType }) => challengeType),
  ]);
  return (rowCount ?? 0) > 0;
}

export async function forgetChallenges(tx: Tx, orgId: string): Promise<void> {
  await tx.query(`update weekly_challenges set name = '', description = '' where org_id = $1`, [orgId]);
}
