import type { Tx } from '@caravan/event-store/core/event-store';
import { figuresFor, noFigures, ownFiguresOfMany, progressOf } from '../weekly-challenges/index.ts';
import type { Challenge, WeekFigures } from '../weekly-challenges/index.ts';
import type { Begun } from './reminders.ts';

type Asked = {
  readonly orgId: string;
  /** Of one week. */
  readonly challenges: readonly Challenge[];
  readonly members: readonly { readonly userId: string; readonly teamId: string }[];
};

/** How far each member is in what they take part in, by member; of a team's challenge it is how far the team is. */
export async function begunBy(
  tx: Tx,
  { orgId, challenges, members }: Asked,
): Promise<ReadonlyMap<string, readonly Begun[]>> {
  const weekStartsOn = challenges[0]?.weekStartsOn;
  if (weekStartsOn === undefined) return new Map();
  const userIds = members.map(({ userId }) => userId);
  const own = await ownFiguresOfMany(tx, { orgId, weekStartsOn, userIds });
  const teams = await figuresOfTeams(tx, { orgId, challenges, members });
  return new Map(
    members.map(({ userId, teamId }) => {
      const figures = own.get(userId) ?? noFigures;
      // Whoever did nothing for the team did not begin.
      const ofTeam = figures.activities > 0 ? (teams.get(teamId) ?? noFigures) : noFigures;
      const begun = challenges.map((challenge) => {
        return { challenge, done: progressOf(challenge, challenge.challengeType === 'team' ? ofTeam : figures) };
      });
      return [userId, begun];
    }),
  );
}

/** Of the teams in which the members are; none where no challenge is a team's. */
export async function figuresOfTeams(
  tx: Tx,
  { orgId, challenges, members }: Asked,
): Promise<ReadonlyMap<string, WeekFigures>> {
  const teamChallenge = challenges.find(({ challengeType }) => challengeType === 'team');
  const figures = new Map<string, WeekFigures>();
  if (!teamChallenge) return figures;
  for (const teamId of new Set(members.map((member) => member.teamId)))
    figures.set(teamId, await figuresFor(tx, { orgId, userId: '', teamId }, teamChallenge));
  return figures;
}
