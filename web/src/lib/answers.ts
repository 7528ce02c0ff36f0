import type { GalleryBadge } from '@caravan/contracts/http/badges';
import type { FeedPost } from '@caravan/contracts/http/feed';
import type { Journey } from '@caravan/contracts/http/journeys';
import type { OwnLog } from '@caravan/contracts/http/movement';
import type { UserProfile } from '@caravan/contracts/http/people';
import type { Leaderboard, Miles } from '@caravan/contracts/http/scores';
import { complete, numberOf } from './complete.ts';

// What an answer need not say, because the specification's section 3 and D39 do not name it, and what then holds (D44).
// A number is NaN where nothing stands for it: it is drawn as '--'. Miles are numbers or numeric texts (3).

const unknown = Number.NaN;

const boardUserOf = (answer: Partial<Leaderboard['users'][number]>) => {
  const user = complete<Leaderboard['users'][number]>(answer, {
    id: '',
    profileId: null,
    rank: unknown,
    name: '',
    teamName: '',
    teamEmoji: '',
    photoUrl: null,
    totalMiles: 0,
    weeklyMiles: unknown,
  });
  return { ...user, totalMiles: numberOf(user.totalMiles), weeklyMiles: numberOf(user.weeklyMiles) };
};

const boardTeamOf = (answer: Partial<Leaderboard['teams'][number]>) => {
  const team = complete<Leaderboard['teams'][number]>(answer, {
    id: '',
    rank: null,
    name: '',
    emoji: '',
    memberCount: 0,
    totalMiles: 0,
    weeklyMiles: unknown,
    averageMiles: unknown,
  });
  const totalMiles = numberOf(team.totalMiles);
  const averageMiles = answer.averageMiles ?? (team.memberCount > 0 ? totalMiles / team.memberCount : 0);
  return { ...team, totalMiles, averageMiles };
};

export function boardOf(answer: Partial<Leaderboard>): Leaderboard {
  const board = complete<Leaderboard>(answer, {
    users: [],
    teams: [],
    userPosition: null,
    teamPosition: null,
    around: [],
  });
  return {
    ...board,
    users: board.users.map(boardUserOf),
    teams: board.teams.map(boardTeamOf),
    around: board.around.map(boardUserOf),
  };
}

export function postOf(answer: Partial<FeedPost>): FeedPost {
  const nobody: FeedPost['user'] = { name: '', avatar: null, profileId: null };
  const post = complete<FeedPost>(answer, {
    id: '',
    user: nobody,
    createdAt: '',
    source: 'manual',
    activityType: '',
    distanceMiles: '--',
    durationMinutes: unknown,
    caption: null,
    reactions: {},
    photoUrl: null,
    photo: null,
    comments: 0,
    myReactions: [],
  });
  return { ...post, user: complete(post.user, nobody) };
}

/** @param ownId of who reads the profile */
export const profileOf = (answer: Partial<UserProfile>, id: string, ownId: string | undefined): UserProfile => {
  const user = complete<UserProfile>(answer, {
    id,
    name: '',
    bio: '',
    location: '',
    favoriteActivity: '',
    profilePhotoUrl: null,
    totalMiles: null,
    streakCount: null,
    teamName: '',
    teamEmoji: '',
    badges: [],
    joinedDate: '',
    followerCount: 0,
    followingCount: 0,
    isFollowing: false,
    isSelf: id === ownId,
  });
  return { ...user, totalMiles: user.totalMiles === null ? null : numberOf(user.totalMiles) };
};

export const galleryBadgeOf = (answer: Partial<GalleryBadge>): GalleryBadge =>
  complete<GalleryBadge>(answer, {
    badgeId: '',
    badgeName: '',
    badgeIcon: '',
    description: '',
    requirement: '',
    category: 'Milestones',
    isEarned: false,
    dateEarned: null,
    progress: { current: 0, target: 0, progressText: '' },
  });

/** The ledger of D32; the local date and the sums of days are of our own. */
export function ledgerOf(answer: Partial<Miles>): Miles {
  const { entries, days, totalMiles } = complete<Miles>(answer, { entries: [], days: [], totalMiles: 0 });
  const dated = entries.map((entry) => complete(entry, { ...entry, on: entry.at.slice(0, 10) }));
  return { entries: dated, days, totalMiles: numberOf(totalMiles) };
}

/** An own log, as far as a movement log is known (3). */
export function ownLogOf(answer: Partial<OwnLog>): OwnLog {
  const createdAt = answer.createdAt ?? '';
  const startedAt = answer.startedAt ?? createdAt;
  const log = complete<OwnLog>(answer, {
    id: '',
    activityType: '',
    durationMinutes: unknown,
    distanceMiles: unknown,
    multiplier: 1,
    source: 'manual',
    caption: null,
    location: null,
    photoPath: null,
    photoUrl: null,
    photo: null,
    isImported: false,
    importSource: null,
    audience: 'organisation',
    heartRate: null,
    calories: null,
    perceivedEffort: null,
    isCounted: true,
    countsByWord: null,
    sameAs: null,
    startedAt,
    loggedOn: startedAt.slice(0, 10),
    createdAt,
  });
  return { ...log, distanceMiles: numberOf(log.distanceMiles), multiplier: numberOf(log.multiplier) };
}

/** The journey of D43; when the own team reached a stop is of our own. */
export const journeyOf = (answer: Omit<Journey, 'reached'> & Partial<Pick<Journey, 'reached'>>): Journey => ({
  ...answer,
  reached: answer.reached ?? [],
});
