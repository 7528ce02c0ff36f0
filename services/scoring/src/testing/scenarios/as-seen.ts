import { earnedBadgesSchema } from '@caravan/contracts/http/badges';
import { journeySchema } from '@caravan/contracts/http/journeys';
import { leaderboardSchema, milesSchema } from '@caravan/contracts/http/scores';
import { milesCredited } from '@caravan/contracts/events/scoring.events';
import { streakOn } from '@caravan/contracts/domain/movement/streak';
import type { Listener } from '@caravan/messaging/testing/listener';
import { DashboardController } from '../../dashboard/dashboard.controller.ts';
import { WeeklyChallengesController } from '../../weekly-challenges/weekly-challenges.controller.ts';
import type { Cast } from './cast.ts';
import { inWords, mapOutcome } from './scenario.ts';
import type { MemberOutcome, Outcome, TeamOutcome } from './scenario.ts';

/** What members of a scenario see on the running service, in the words of an outcome. */
export class AsSeen {
  private readonly cast: Cast;
  private readonly scores: Listener;

  constructor(cast: Cast, scores: Listener) {
    this.cast = cast;
    this.scores = scores;
  }

  /** As much as the outcome speaks of. */
  async of({ members, teams, board }: Outcome) {
    return {
      members: await answerOf(members, (asked, name) => this.memberAs(name, asked)),
      teams: await answerOf(teams, (asked, name) => this.teamAs(name, asked)),
      board: board && (await this.board()),
    };
  }

  private async memberAs(name: string, asked: MemberOutcome): Promise<MemberOutcome> {
    const api = await this.cast.scoring.as(this.cast.memberOf(name));
    const miles = async () => milesSchema.parse((await api.get('/api/miles?limit=50')).body);
    const badges = async () => earnedBadgesSchema.parse((await api.get('/api/user/badges')).body);
    const board = async () => leaderboardSchema.parse((await api.get('/api/leaderboard')).body);
    const { total, entries, streak, weeks, challenges, rank } = asked;
    return sortOutcome({
      ...(total !== undefined && { total: (await miles()).totalMiles }),
      ...(entries && { entries: (await miles()).entries.map(({ explanation }) => explanation) }),
      ...(streak && { streak: this.streakOf(name, streak) }),
      ...(asked.badges && { badges: (await badges()).map(({ badgeName }) => badgeName) }),
      ...(weeks && { weeks: await answerOf(weeks, (_, monday) => this.weekOf(name, monday)) }),
      ...(challenges && { challenges: await answerOf(challenges, (_, id) => this.progressOf(name, id)) }),
      ...(rank !== undefined && { rank: (await board()).userPosition }),
    });
  }

  /** What other services make of the last that scoring told of the member. */
  private streakOf(name: string, asked: NonNullable<MemberOutcome['streak']>) {
    const { userId } = this.cast.memberOf(name);
    const told = this.scores.heard.filter(
      ({ type, orgId, key }) => [type, orgId, key].join() === ['MilesCredited', this.cast.orgId, userId].join(),
    );
    const last = told.toSorted((a, b) => a.position - b.position).at(-1);
    const { latestRun, streak } = last ? milesCredited.data.parse(last.data) : { latestRun: null, streak: undefined };
    return mapOutcome(asked, (_, on) => inWords(streakOn(latestRun, on, this.cast.hasFreezes ? streak : undefined)));
  }

  private async teamAs(name: string, asked: TeamOutcome): Promise<TeamOutcome> {
    const viewer = await this.cast.scoring.as(this.cast.viewerOf(name));
    const { teams } = leaderboardSchema.parse((await viewer.get('/api/leaderboard')).body);
    const board = teams.find((team) => team.name === name);
    const journey = journeySchema.parse((await viewer.get('/api/journey')).body);
    const place = journey.teams.find((team) => team.name === name);
    if (!board || !place) throw new Error(`${name} is nowhere`);
    const { lastCheckpoint: last, nextCheckpoint: next, milesToNext } = place;
    return {
      ...(asked.total !== undefined && { total: board.totalMiles }),
      ...(asked.weeks && { weeks: await answerOf(asked.weeks, (_, monday) => this.teamWeekOf(name, monday)) }),
      ...(asked.rank !== undefined && { rank: board.rank }),
      ...(asked.journey && { journey: { last, next, milesToNext } }),
      ...(asked.arrivals && { arrivals: journey.reached.map(({ checkpoint }) => checkpoint) }),
    };
  }

  private async board(): Promise<string[]> {
    const { body } = await (await this.cast.scoring.as(this.cast.anybody)).get('/api/leaderboard');
    return leaderboardSchema.parse(body).users.map(({ rank, name, totalMiles }) => `${rank} ${name} ${totalMiles}`);
  }

  private async statsOf(name: string, monday: string) {
    // Wherever the organisation is, the week has begun by then.
    const at = new Date(Date.parse(monday) + 36 * 3_600_000);
    return this.cast.scoring.app.get(DashboardController).stats(this.cast.callerAt(name, at));
  }

  private weekOf = async (name: string, monday: string): Promise<number> =>
    (await this.statsOf(name, monday)).weeklyMiles;

  private async teamWeekOf(team: string, monday: string): Promise<number> {
    const { teamProgress } = await this.statsOf(this.cast.viewerOf(team).name, monday);
    return teamProgress.find(({ name }) => name === team)?.miles ?? 0;
  }

  private async progressOf(who: string, challenge: string) {
    const controller = this.cast.scoring.app.get(WeeklyChallengesController);
    const id = await this.cast.challengeIdOf(who, challenge);
    const { currentProgress, bonusAwarded } = await controller.progress(this.cast.callerAt(who, new Date()), { id });
    return { progress: currentProgress, hasBonus: bonusAwarded };
  }
}

/** In an order of their own: what a sweep enters bears the time of the sweep, not of the scenario. */
export function sortOutcome({ entries, badges, ...outcome }: MemberOutcome): MemberOutcome {
  return { ...outcome, ...(entries && { entries: entries.toSorted() }), ...(badges && { badges: badges.toSorted() }) };
}

async function answerOf<Asked, Seen>(
  asked: Readonly<Partial<Record<string, Asked>>>,
  see: (one: Asked, key: string) => Promise<Seen>,
): Promise<Record<string, Seen>> {
  const promises = mapOutcome(asked, see);
  const keys = Object.keys(promises);
  const seen = await Promise.all(Object.values(promises));
  return Object.fromEntries(seen.map((one, nth) => [keys[nth] ?? '', one]));
}
