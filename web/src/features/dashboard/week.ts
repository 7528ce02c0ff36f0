import { addDays, weekStartOf } from '@caravan/contracts/domain/time/local-days';
import type { DashboardStats } from '@caravan/contracts/http/scores';

const shownWeeks = 8;

/** The total at the end of each of the last eight weeks; the last value is today's. */
export function totalsByWeek(
  { today, days }: { today: string; days: readonly { on: string; miles: number }[] },
  total: number,
): number[] {
  const monday = weekStartOf(today);
  return Array.from({ length: shownWeeks }, (_, nth) => {
    const nextMonday = addDays(monday, 7 * (nth + 2 - shownWeeks));
    const since = days.filter(({ on }) => on >= nextMonday).reduce((sum, { miles }) => sum + miles, 0);
    return total - since;
  });
}

type TeamProgress = DashboardStats['teamProgress'];

const mostTeams = 5;

/** The teams that lead, and one's own in any case. */
export function teamsToShow(teams: TeamProgress, ownTeamId: string | undefined): TeamProgress {
  const first = teams.slice(0, mostTeams);
  const own = teams.find(({ id }) => id === ownTeamId);
  return !own || first.includes(own) ? first : [...first.slice(0, mostTeams - 1), own];
}
