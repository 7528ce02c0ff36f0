import type { ChallengeProgress, WeeklyChallenge } from '@caravan/contracts/http/challenges';
import type { Tx } from '@caravan/event-store/core/event-store';
import { withTenant } from '@caravan/event-store/postgres/connections';
import { type Asked, type Composed, Live } from '@caravan/service-kit/live/live';
import { Pool } from '@caravan/service-kit/storage/pool';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { OrganisationWeek } from '../directory/index.ts';
import {
  claimsAmong,
  figuresFor,
  type MemberOfTeam,
  membersAmong,
  noFigures,
  ownFiguresOfMany,
} from './progress.query.ts';
import { progressOf, type WeekFigures } from './progress.ts';
import { challengesOfWeek } from './weeks.query.ts';

const mostPersons = 500;
const mostTeams = 20;

type Figures = { [Field in keyof ChallengeProgress]?: ChallengeProgress[Field] | undefined };
type Some = NonNullable<Composed<'challenges'>['some']>[number];

@Injectable()
export class LiveChallenges implements OnModuleInit {
  constructor(
    @Inject(Live) private readonly live: Live,
    @Inject(Pool) private readonly pool: Pool,
    @Inject(OrganisationWeek) private readonly week: OrganisationWeek,
  ) {}

  onModuleInit(): void {
    this.live.compose('challenges', (asked) => this.challenges(asked));
  }

  private async challenges(asked: Asked): Promise<Composed<'challenges'>> {
    const { orgId, at, isForAll, persons, teams, wanted } = asked;
    const startsOn = await this.week.startOf(orgId, at);
    return withTenant(this.pool, orgId, async (tx) => {
      const weekly = await challengesOfWeek(tx, { orgId, startsOn });
      const readers = await membersAmong(tx, orgId, asked.readers);
      const concerned = readers.filter(({ userId }) => persons.has(userId) || wanted.has(userId));
      const shown = readers.filter(({ userId, teamId }) => isForAll || teams.has(teamId) || wanted.has(userId));
      const byTeam = [...Map.groupBy(shown, ({ teamId }) => teamId)];
      const week = { orgId, startsOn, weekly };
      return {
        all: { weekly },
        some: mergeSome([
          ...(await teamsProgress(tx, week, byTeam.slice(0, mostTeams))),
          ...(await ownProgress(tx, week, concerned.slice(0, mostPersons))),
        ]),
        ask: [
          ...byTeam.slice(mostTeams).flatMap(([, theirs]) => theirs.map(({ userId }) => userId)),
          ...concerned.slice(mostPersons).map(({ userId }) => userId),
          ...[...wanted].filter((userId) => readers.every((reader) => reader.userId !== userId)),
        ],
      };
    });
  }
}

type Week = { readonly orgId: string; readonly startsOn: string; readonly weekly: readonly WeeklyChallenge[] };

const progressIn = (weekly: Week['weekly'], type: WeeklyChallenge['challengeType'], figures: WeekFigures) =>
  weekly
    .filter(({ challengeType }) => challengeType === type)
    .map((challenge): [string, Figures] => {
      const { id, targetValue } = challenge;
      return [id, { currentProgress: progressOf(challenge, figures), targetValue }];
    });

async function teamsProgress(
  tx: Tx,
  { orgId, startsOn, weekly }: Week,
  byTeam: [string, MemberOfTeam[]][],
): Promise<Some[]> {
  return Promise.all(
    byTeam.map(async ([teamId, readers]) => {
      const of = { challengeType: 'team', weekStartsOn: startsOn } as const;
      const figures = await figuresFor(tx, { orgId, userId: '', teamId }, of);
      const progress = Object.fromEntries(progressIn(weekly, 'team', figures));
      return { to: readers.map(({ userId }) => userId), data: { progress } };
    }),
  );
}

async function ownProgress(
  tx: Tx,
  { orgId, startsOn, weekly }: Week,
  persons: readonly MemberOfTeam[],
): Promise<Some[]> {
  const userIds = persons.map(({ userId }) => userId);
  const challengeIds = weekly.map(({ id }) => id);
  const claims = await claimsAmong(tx, orgId, challengeIds, userIds);
  const figures = await ownFiguresOfMany(tx, { orgId, weekStartsOn: startsOn, userIds });
  return userIds.map((userId) => {
    const claimed = new Set(claims.filter((claim) => claim.userId === userId).map(({ challengeId }) => challengeId));
    const progress: Record<string, Figures> = Object.fromEntries(
      progressIn(weekly, 'individual', figures.get(userId) ?? noFigures),
    );
    for (const { id } of weekly) progress[id] = { ...progress[id], bonusAwarded: claimed.has(id) };
    return { to: [userId], data: { progress } };
  });
}

function mergeSome(all: readonly Some[]): Some[] {
  const byReader = new Map<string, Record<string, Figures>>();
  for (const { to, data } of all)
    for (const userId of to) {
      const known = byReader.get(userId) ?? {};
      for (const [id, figures] of Object.entries(data.progress ?? {})) known[id] = { ...known[id], ...figures };
      byReader.set(userId, known);
    }
  return [...byReader].map(([userId, progress]) => ({ to: [userId], data: { progress } }));
}
