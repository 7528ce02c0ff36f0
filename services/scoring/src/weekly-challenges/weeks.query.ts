import { createHash } from 'node:crypto';
import type { WeeklyChallenge } from '@caravan/contracts/http/challenges';
import { addDays } from '@caravan/contracts/local-days';
import { milesOf } from '@caravan/contracts/miles';
import type { Tx } from '@caravan/event-store/event-store';
import { templatesOf } from '../challenge-templates.query.ts';
import type { MetChallenge, Participant } from './progress.query.ts';

type Row = Omit<WeeklyChallenge, 'bonusMiles' | 'weekEnd'> & { bonusCentimiles: number };
type Week = { readonly orgId: string; readonly startsOn: string };

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

const listSql = `
  select challenge_id as id, name, description, target_value::float as "targetValue", target_unit as "targetUnit",
    bonus_centimiles as "bonusCentimiles", challenge_type as "challengeType", week_starts_on as "weekStart"
  from weekly_challenges where org_id = $1 and week_starts_on = $2 order by place`;

/** Opens a week with the templates that are active now; answers whether it was not open yet. */
export async function openWeek(tx: Tx, week: Week & { readonly at: Date }): Promise<boolean> {
  const planned = await plannedWeek(tx, week);
  const of = <Value>(value: (challenge: Row) => Value) => planned.map(value);
  const { rowCount } = await tx.query(openSql, [
    ...[week.orgId, week.startsOn, week.at],
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

/** A week's challenges: as it was opened, or, until somebody has opened it, as it will be. */
export async function challengesOfWeek(tx: Tx, week: Week): Promise<WeeklyChallenge[]> {
  const rows = (await isOpened(tx, week))
    ? (await tx.query<Row>(listSql, [week.orgId, week.startsOn])).rows
    : await plannedWeek(tx, week);
  return rows.map(({ bonusCentimiles, ...challenge }) => ({
    ...challenge,
    bonusMiles: milesOf(bonusCentimiles),
    weekEnd: addDays(challenge.weekStart, 6),
  }));
}

/** A challenge of a week that nobody has opened yet, as the member meets it. */
export async function plannedChallenge(
  tx: Tx,
  { startsOn, orgId, userId }: Participant & { readonly startsOn: string },
  challengeId: string,
): Promise<MetChallenge | undefined> {
  const week = { orgId, startsOn };
  if (await isOpened(tx, week)) return undefined;
  const planned = (await plannedWeek(tx, week)).find(({ id }) => id === challengeId);
  if (!planned) return undefined;
  const { rows } = await tx.query<{ teamId: string }>(
    'select team_id as "teamId" from members where org_id = $1 and user_id = $2',
    [orgId, userId],
  );
  const { name, targetValue, targetUnit, challengeType, bonusCentimiles } = planned;
  return {
    ...{ challengeId, name, targetValue, targetUnit, challengeType, bonusCentimiles, weekStartsOn: startsOn },
    ...{ teamId: rows[0]?.teamId ?? null, isClaimed: false, joinedOn: null, inTeamSince: null },
  };
}

async function isOpened(tx: Tx, { orgId, startsOn }: Week): Promise<boolean> {
  const { rows } = await tx.query('select from challenge_weeks where org_id = $1 and week_starts_on = $2', [
    orgId,
    startsOn,
  ]);
  return rows.length > 0;
}

async function plannedWeek(tx: Tx, { orgId, startsOn }: Week): Promise<Row[]> {
  const templates = await templatesOf(tx, orgId);
  return templates.flatMap(({ id, isActive, bonusMiles, ...template }) =>
    isActive
      ? [
          {
            ...template,
            ...{ id: challengeIdOf({ orgId, startsOn }, id ?? template.name), weekStart: startsOn },
            bonusCentimiles: Math.round(bonusMiles * 100),
          },
        ]
      : [],
  );
}

/** The same however often it is asked for, so that who reads before the week is opened reads the challenges it will have. */
function challengeIdOf({ orgId, startsOn }: Week, templateId: string): string {
  const digest = createHash('sha256').update(`${orgId} ${startsOn} ${templateId}`).digest('hex');
  const [a, b, c, d, e] = [8, 4, 3, 3, 12].map((length, nth, lengths) => {
    const from = lengths.slice(0, nth).reduce((sum, one) => sum + one, 0);
    return digest.slice(from, from + length);
  });
  // Version 8: made of what one likes.
  return `${a}-${b}-8${c}-a${d}-${e}`;
}
