import type { PublicEventOf } from '@caravan/contracts/events/envelope';
import type * as facts from '@caravan/contracts/events/social.events';
import { formerTeamName } from '@caravan/contracts/domain/unnamed';
import type { Week } from './recap.ts';
import type { WeekFigures } from './week-figures.query.ts';

/**
 * The log does not keep it: the recap itself is kept.
 * @param built `teamNames`: by id, as they are now
 */
export function weeklyRecapBuilt(
  { recapId, teamNames, at }: { recapId: string; teamNames: ReadonlyMap<string, string>; at: Date },
  { startsOn, endsOn }: Week,
  { centimiles, memberCount, story }: WeekFigures,
): PublicEventOf<typeof facts.weeklyRecapBuilt> & { readonly isKept: false } {
  const topTeams = story.teams.map((team) => ({
    teamId: team.teamId,
    name: teamNames.get(team.teamId) ?? formerTeamName,
    centimiles: team.centimiles,
  }));
  const week = { weekStartsOn: startsOn, weekEndsOn: endsOn };
  const data = { recapId, ...week, centimiles, memberCount, topTeams, builtAt: at.toISOString() };
  return { type: 'WeeklyRecapBuilt', version: 1, isKept: false, data };
}
