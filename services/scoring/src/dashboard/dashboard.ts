import { hiddenMemberName } from '@caravan/contracts/identity.events';
import type { DashboardStats } from '@caravan/contracts/http/scores';
import { milesOf } from '@caravan/contracts/miles';
import { timeAgo } from './time-ago.ts';

export type RecentMovement = {
  readonly id: string;
  readonly teamEmoji: string | null;
  readonly userName: string | null;
  /** Null where the caller may open no profile. */
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

/** What was read for one dashboard. */
export type Dashboard = {
  readonly at: Date;
  readonly rank: number | null;
  readonly weekCentimiles: number;
  readonly recent: readonly RecentMovement[];
  readonly teams: readonly TeamWeek[];
};

/** Miles a team aims at in a week, until its admin says otherwise (D45). */
const weeklyGoalMiles = 50;

/** The answer of `GET /api/dashboard/stats` (3.26, D45). */
export function dashboardOf({ at, rank, weekCentimiles, recent, teams }: Dashboard): DashboardStats {
  return {
    userRank: rank,
    weeklyMiles: milesOf(weekCentimiles),
    recentActivities: recent.map((movement) => {
      const endedAt = new Date(movement.endedAt);
      return {
        id: movement.id,
        teamEmoji: movement.teamEmoji ?? '',
        // A movement can arrive a moment before the news of who made it.
        userName: movement.userName ?? hiddenMemberName,
        profileId: movement.profileId,
        activityType: movement.activityType,
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
