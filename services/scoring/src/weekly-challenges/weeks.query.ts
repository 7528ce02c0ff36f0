import { createHash } from 'node:crypto';
import type { WeeklyChallenge } from '@caravan/contracts/http/challenges';
import { addDays } from '@caravan/contracts/domain/time/local-days';
import { milesOf } from '@caravan/contracts/domain/movement/miles';
import type { Tx } from '@caravan/event-store/core/event-store';
import { templatesOf } from '../challenge-templates/index.ts';
import type { Challenge, MetChallenge, Participant } from './progress.query.ts';

export type PlannedChallenge = Omit<WeeklyChallenge, 'bonusMiles' | 'weekEnd'> & { bonusCentimiles: number };
export type Week = { readonly orgId: string; readonly startsOn: string };

const listSql = `
  select challenge_id as id, name, description, target_value::float, target_unit,
    bonus_centimiles, challenge_type, week_starts_on as week_start
  from weekly_challenges where org_id = $1 and week_starts_on = $2 order by place`;

/** As it was opened, or, until somebody has opened it, as it will be. */
export async function challengesOfWeek(tx: Tx, week: Week): Promise<WeeklyChallenge[]> {
  const rows = (await isOpened(tx, week))
    ? (await tx.query<PlannedChallenge>(listSql, [week.orgId, week.startsOn])).rows
    : await plannedWeek(tx, week);
  return rows.map(({ bonusCentimiles, ...challenge }) => ({
    ...challenge,
    bonusMiles: milesOf(bonusCentimiles),
    weekEnd: addDays(challenge.weekStart, 6),
  }));
}

/** Of a week that was opened; none before. */
export async function openedChallenges(tx: Tx, { orgId, startsOn }: Week): Promise<Challenge[]> {
  const { rows } = await tx.query<Challenge>(
    `select challenge_id, name, target_value::float, target_unit,
       challenge_type, bonus_centimiles, week_starts_on
     from weekly_challenges where org_id = $1 and week_starts_on = $2 order by place`,
    [orgId, startsOn],
  );
  return rows;
}

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
    'select team_id from members where org_id = $1 and user_id = $2',
    [orgId, userId],
  );
  const { name, targetValue, targetUnit, challengeType, bonusCentimiles } = planned;
  return {
    challengeId,
    name,
    targetValue,
    targetUnit,
    challengeType,
    bonusCentimiles,
    weekStartsOn: startsOn,
    teamId: rows[0]?.teamId ?? null,
    isClaimed: false,
    joinedOn: null,
    inTeamSince: null,
  };
}

async function isOpened(tx: Tx, { orgId, startsOn }: Week): Promise<boolean> {
  const { rows } = await tx.query('select from challenge_weeks where org_id = $1 and week_starts_on = $2', [
    orgId,
    startsOn,
  ]);
  return rows.length > 0;
}

export async function plannedWeek(tx: Tx, { orgId, startsOn }: Week): Promise<PlannedChallenge[]> {
  const templates = await templatesOf(tx, orgId);
  return templates.flatMap(({ id, isActive, bonusMiles, ...template }) =>
    isActive
      ? [
          {
            ...template,
            id: challengeIdOf({ orgId, startsOn }, id ?? template.name),
            weekStart: startsOn,
            bonusCentimiles: Math.round(bonusMiles * 100),
          },
        ]
      : [],
  );
}

/** The same for who reads before the week is opened and after. */
function challengeIdOf({ orgId, startsOn }: Week, templateId: string): string {
  const digest = createHash('sha256').update(`${orgId} ${startsOn} ${templateId}`).digest('hex');
  const [a, b, c, d, e] = [8, 4, 3, 3, 12].map((length, nth, lengths) => {
    const from = lengths.slice(0, nth).reduce((sum, one) => sum + one, 0);
    return digest.slice(from, from + length);
  });
  // Version 8: made of what one likes.
  return `${a}-${b}-8${c}-a${d}-${e}`;
}
