import { forgottenActivityName, productActivities } from '@caravan/contracts/domain/movement/activities';
import type { DashboardStats } from '@caravan/contracts/http/scores';
import { hiddenMemberName } from '@caravan/contracts/events/identity.events';
import { milesOf } from '@caravan/contracts/domain/movement/miles';
import { timeAgo } from '@caravan/contracts/domain/time/time-ago';

export type RecentMovement = {
  /** Null where the name is hidden: the feed may tell it under the same id. */
  readonly id: string | null;
  readonly teamEmoji: string | null;
  readonly userName: string | null;
  readonly profileId: string | null;
  readonly activityType: string;
  readonly centimiles: number;
  readonly endedAt: string;
};

export type TeamWeek = {
  readonly id: string;
  readonly name: string;
  readonly emoji: string;
  readonly weekCentimiles: number;
};

export type Dashboard = {
  readonly at: Date;
  readonly rank: number | null;
  readonly weekCentimiles: number;
  readonly recent: readonly RecentMovement[];
  readonly teams: readonly TeamWeek[];
};

/** Until an admin says otherwise (D45). */
const weeklyGoalMiles = 50;

/** `GET /api/dashboard/stats` (3.26, D45). */
export function dashboardOf({ at, rank, weekCentimiles, recent, teams }: Dashboard): DashboardStats {
  return {
    userRank: rank,
    weeklyMiles: milesOf(weekCentimiles),
    recentActivities: recent.map((movement, index) => {
      const { activityType, endedAt } = movement.id === null ? blurMovement(movement) : exact(movement);
      return {
        id: movement.id ?? `hidden-${index + 1}`,
        teamEmoji: movement.teamEmoji ?? '',
        // A movement can arrive a moment before the news of who made it.
        userName: movement.userName ?? hiddenMemberName,
        profileId: movement.profileId,
        activityType,
        miles: milesOf(movement.centimiles),
        timeAgo: timeAgo(endedAt, at),
        createdAt: endedAt.toISOString(),
      };
    }),
    teamProgress: teams.map((team) => ({
      id: team.id,
      name: team.name,
      emoji: team.emoji,
      miles: milesOf(team.weekCentimiles),
      goalMiles: weeklyGoalMiles,
    })),
  };
}

const exact = ({ activityType, endedAt }: RecentMovement) => ({ activityType, endedAt: new Date(endedAt) });

const quarterHourMilliseconds = 15 * 60_000;

/** A time to the millisecond, or typed text, would lead to the post that names the member. */
function blurMovement({ activityType, endedAt }: RecentMovement): ReturnType<typeof exact> {
  const instant = Date.parse(endedAt);
  return {
    activityType: productActivities.includes(activityType) ? activityType : forgottenActivityName,
    endedAt: new Date(instant - (instant % quarterHourMilliseconds)),
  };
}
