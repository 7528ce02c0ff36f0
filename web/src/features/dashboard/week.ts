import { daysBetween, weekStartOf } from '@caravan/contracts/domain/time/local-days';
import type { DashboardStats } from '@caravan/contracts/http/scores';

/** Everyone's goal for a week, in miles (9.5). */
export const weeklyGoalMiles = 5;

/** Days until Monday, today included: 7 on a Monday, 1 on a Sunday. @param today YYYY-MM-DD */
export const daysLeft = (today: string): number => 7 - daysBetween(weekStartOf(today), today);

type TeamProgress = DashboardStats['teamProgress'];

const mostTeams = 5;

/** The teams that lead, and one's own in any case. */
export function teamsToShow(teams: TeamProgress, ownTeamId: string | undefined): TeamProgress {
  const first = teams.slice(0, mostTeams);
  const own = teams.find(({ id }) => id === ownTeamId);
  return !own || first.includes(own) ? first : [...first.slice(0, mostTeams - 1), own];
}
