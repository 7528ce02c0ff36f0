import { AuthModule } from '@caravan/auth/auth.module';
import { MessagingModule } from '@caravan/messaging/messaging.module';
import type { ServiceEnv } from '@caravan/service-kit/env';
import { ServiceKitModule } from '@caravan/service-kit/service-kit.module';
import {
  type DynamicModule,
  type FactoryProvider,
  Inject,
  Module,
  type OnModuleInit,
  type Provider,
  type Type,
} from '@nestjs/common';
import { AwardDueBadges, awardDueBadges } from './badges/award-due-badges.job.ts';
import { AwardTravellersConsumer } from './badges/award-travellers.consumer.ts';
import { BadgeAwards } from './badges/badge-awards.service.ts';
import { BadgesController } from './badges/badges.controller.ts';
import { badgesStream } from './badges/public-events.ts';
import { BonusChallengeController } from './bonus-challenges/bonus-challenge.controller.ts';
import { CompletionsService } from './bonus-challenges/completions.service.ts';
import { bonusChallengeStream } from './bonus-challenges/public-events.ts';
import {
  BonusChallengeScheduler,
  closeBonusChallenge,
  scheduleBonusChallenges,
} from './bonus-challenges/scheduler.service.ts';
import { ScheduleBonusChallenges } from './bonus-challenges/schedule-bonus-challenges.job.ts';
import { TemplatesController } from './challenge-templates/templates.controller.ts';
import { DashboardController } from './dashboard/dashboard.controller.ts';
import { DashboardQuery } from './dashboard/dashboard.query.ts';
import { DirectoryConsumer } from './directory/directory.consumer.ts';
import { OrganisationWeek } from './directory/directory.query.ts';
import { BeginJourneyConsumer } from './journey/begin-journey.consumer.ts';
import { JourneyController } from './journey/journey.controller.ts';
import { JourneyService } from './journey/journey.service.ts';
import { journeyStream } from './journey/public-events.ts';
import { UpdateJourneys, updateJourneys } from './journey/update-journeys.job.ts';
import { LeaderboardBuilds } from './leaderboards/leaderboard-builds.client.ts';
import { LeaderboardController } from './leaderboards/leaderboard.controller.ts';
import { LeaderboardQuery } from './leaderboards/leaderboard.query.ts';
import { LeaderboardUpkeep } from './leaderboards/leaderboard-upkeep.service.ts';
import { PlacesQuery } from './leaderboards/places.query.ts';
import { RedisLeaderboard } from './leaderboards/redis-leaderboard.client.ts';
import { CreditMilesConsumer } from './ledger/credit-miles.consumer.ts';
import { LedgerService } from './ledger/ledger.service.ts';
import { MilesController } from './ledger/miles.controller.ts';
import { MilesQuery } from './ledger/miles.query.ts';
import { LedgerStream, ledgerStream } from './ledger/public-events.ts';
import { MyDataController } from './my-data/my-data.controller.ts';
import { AfterCredit, AfterOrganisationNews } from './ports.ts';
import { ClaimReviewQueue } from './weekly-challenges/claim-review-queue.service.ts';
import { pendingClaimReviewsProjection, weeklyClaimStream } from './weekly-challenges/claims.projection.ts';
import { ClaimsService } from './weekly-challenges/claims.service.ts';
import { LiveChallenges } from './weekly-challenges/live-challenges.query.ts';
import { OpenWeeks, openWeeks } from './weekly-challenges/open-weeks.job.ts';
import { WeeklyChallengesController } from './weekly-challenges/weekly-challenges.controller.ts';
import { WeeksService } from './weekly-challenges/weeks.service.ts';

/** The ledger with what rooms above it read from its entries. */
export const ledgerOfAll: LedgerStream = {
  ...ledgerStream,
  projections: [...ledgerStream.projections, pendingClaimReviewsProjection],
};

/** Everything that this service records: what a rebuild reads. */
export const streamKinds = [badgesStream, bonusChallengeStream, journeyStream, ledgerOfAll, weeklyClaimStream];

const told = (port: symbol, ...inOrder: Type[]): FactoryProvider => ({
  provide: port,
  useFactory: (...listeners: unknown[]) => listeners,
  inject: inOrder,
});

const listeners = [
  told(AfterCredit, CompletionsService, BadgeAwards, LeaderboardUpkeep),
  told(AfterOrganisationNews, WeeksService, ScheduleBonusChallenges, AwardDueBadges, LeaderboardUpkeep),
];

/** The rooms in their order (tools/house/rooms.ts). */
const directory = { controllers: [DirectoryConsumer], providers: [OrganisationWeek] };
const ledger = {
  controllers: [CreditMilesConsumer, MilesController],
  providers: [LedgerService, MilesQuery, { provide: LedgerStream, useValue: ledgerOfAll }],
};
const leaderboards = {
  controllers: [LeaderboardController],
  providers: [LeaderboardBuilds, LeaderboardQuery, LeaderboardUpkeep, PlacesQuery, RedisLeaderboard],
};
const dashboard = { controllers: [DashboardController], providers: [DashboardQuery] };
const badges = { controllers: [AwardTravellersConsumer, BadgesController], providers: [AwardDueBadges, BadgeAwards] };
const journey = { controllers: [BeginJourneyConsumer, JourneyController], providers: [JourneyService, UpdateJourneys] };
const challengeTemplates = { controllers: [TemplatesController], providers: [] };
const weeklyChallenges = {
  controllers: [WeeklyChallengesController],
  providers: [ClaimReviewQueue, ClaimsService, LiveChallenges, OpenWeeks, WeeksService],
};
const bonusChallenges = {
  controllers: [BonusChallengeController],
  providers: [BonusChallengeScheduler, CompletionsService, ScheduleBonusChallenges],
};
const myData = { controllers: [MyDataController], providers: [] };
const rooms: readonly { controllers: readonly Type[]; providers: readonly Provider[] }[] = [
  ...[directory, ledger, leaderboards, dashboard, badges, journey],
  ...[challengeTemplates, weeklyChallenges, bonusChallenges, myData],
];

@Module({})
export class AppModule implements OnModuleInit {
  constructor(
    @Inject(LeaderboardUpkeep) private readonly boards: LeaderboardUpkeep,
    @Inject(JourneyService) private readonly journeys: JourneyService,
  ) {}

  static forRoot(env: ServiceEnv): DynamicModule {
    const jobs = [awardDueBadges, closeBonusChallenge, openWeeks, scheduleBonusChallenges, updateJourneys];
    return {
      module: AppModule,
      imports: [ServiceKitModule.forRoot(env, { jobs }), AuthModule.forRoot(env), MessagingModule.forRoot(env)],
      controllers: rooms.flatMap(({ controllers }) => [...controllers]),
      providers: [...rooms.flatMap(({ providers }) => [...providers]), ...listeners],
    };
  }

  /** Teams have new sums: they may have arrived somewhere. */
  onModuleInit(): void {
    this.boards.onSettled((orgId) => this.journeys.look(orgId));
  }
}
