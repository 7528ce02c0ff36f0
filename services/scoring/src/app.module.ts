import { AuthModule } from '@caravan/auth/auth.module';
import { movementCorrected, movementLogged, movementRemoved } from '@caravan/contracts/events/activity.events';
import { organisationFounded } from '@caravan/contracts/events/identity.events';
import type { Tx } from '@caravan/event-store/core/event-store';
import type { Decided } from '@caravan/event-store/core/projection';
import { publicHistory } from '@caravan/event-store/rebuild/public-history';
import { MessagingModule } from '@caravan/messaging/messaging.module';
import { type ReadModel, rowsOnly } from '@caravan/messaging/consumer/read-model';
import type { ServiceEnv } from '@caravan/service-kit/process/env';
import { ServiceKitModule } from '@caravan/service-kit/http/service-kit.module';
import {
  type DynamicModule,
  type FactoryProvider,
  Inject,
  Module,
  type OnModuleInit,
  type Provider,
  type Type,
} from '@nestjs/common';
import { AnalyticsController } from './analytics/analytics.controller.ts';
import { AwardDueBadges, awardDueBadges } from './badges/award-due-badges.job.ts';
import { AwardPhotoBadgesConsumer } from './badges/award-photo-badges.consumer.ts';
import { AwardSocialBadgesConsumer } from './badges/award-social-badges.consumer.ts';
import { AwardCheckpointBadgesConsumer } from './badges/award-checkpoint-badges.consumer.ts';
import { BadgeAwards } from './badges/badge-awards.service.ts';
import { BadgesController } from './badges/badges.controller.ts';
import { badgesStream } from './badges/badges-stream.ts';
import { BoardWeeksController } from './board-weeks/board-weeks.controller.ts';
import { RankWeeks, rankWeeks } from './board-weeks/rank-weeks.job.ts';
import { BonusChallengeController } from './bonus-challenges/bonus-challenge.controller.ts';
import { outcomesOf } from './bonus-challenges/bonus-challenges.query.ts';
import { CompletionsService, showCorrected, showLogged, showRemoved } from './bonus-challenges/completions.service.ts';
import { bonusChallengeStream } from './bonus-challenges/bonus-challenge-stream.ts';
import {
  BonusChallengeScheduler,
  closeBonusChallenge,
  scheduleBonusChallenges,
} from './bonus-challenges/scheduler.service.ts';
import { ScheduleBonusChallenges } from './bonus-challenges/schedule-bonus-challenges.job.ts';
import { TemplatesController } from './challenge-templates/templates.controller.ts';
import { DashboardController } from './dashboard/dashboard.controller.ts';
import { DashboardService } from './dashboard/dashboard.service.ts';
import { DirectoryConsumer } from './directory/directory.consumer.ts';
import { keepBadgesDueSql, keepOrganisation } from './directory/directory.store.ts';
import { OrganisationWeek } from './directory/organisation-week.service.ts';
import { StartJourneysConsumer } from './journey/start-journeys.consumer.ts';
import { JourneyController } from './journey/journey.controller.ts';
import { contributorsOfEach } from './journey/journey.query.ts';
import { JourneyService } from './journey/journey.service.ts';
import { journeyStream } from './journey/journey-stream.ts';
import { UpdateJourneys, updateJourneys } from './journey/update-journeys.job.ts';
import { LeaderboardBuilds } from './leaderboards/leaderboard-builds.client.ts';
import { LeaderboardController } from './leaderboards/leaderboard.controller.ts';
import { LeaderboardService } from './leaderboards/leaderboard.service.ts';
import { aggregateAll } from './leaderboards/pending-team-credits.store.ts';
import { LeaderboardUpkeep } from './leaderboards/leaderboard-upkeep.service.ts';
import { MilesFigure } from './leaderboards/miles-figure.service.ts';
import { PlacesService } from './leaderboards/places.service.ts';
import { RedisLeaderboard } from './leaderboards/redis-leaderboard.client.ts';
import { SharedBoards } from './leaderboards/shared-boards.service.ts';
import { CreditMilesConsumer } from './ledger/credit-miles.consumer.ts';
import type { LedgerEvent } from './ledger/ledger.ts';
import { renewStarts } from './ledger/streak-starts.store.ts';
import { LedgerService } from './ledger/ledger.service.ts';
import { figuresOf } from './ledger/member-snapshot.query.ts';
import { MilesController } from './ledger/miles.controller.ts';
import { LedgerStream, ledgerStream } from './ledger/ledger-stream.ts';
import { MyDataController } from './my-data/my-data.controller.ts';
import { CreditNotices } from './notices/credit-notices.service.ts';
import { Reminders } from './notices/reminders.service.ts';
import { deleteReminders, SendReminders, sendReminders } from './notices/send-reminders.job.ts';
import { AfterCredit, AfterOrganisationNews } from './ports.ts';
import { ClaimReviewQueue } from './weekly-challenges/claim-review-queue.service.ts';
import { pendingClaimReviewsProjection, weeklyClaimStream } from './weekly-challenges/claims.projection.ts';
import { ClaimsService } from './weekly-challenges/claims.service.ts';
import { LiveChallenges } from './weekly-challenges/live-challenges.service.ts';
import { OpenWeeks, openWeeks } from './weekly-challenges/open-weeks.job.ts';
import { WeeklyChallengesController } from './weekly-challenges/weekly-challenges.controller.ts';
import { WeeksService } from './weekly-challenges/weeks.service.ts';

/** The ledger with what rooms above it read from its entries. */
export const ledgerOfAll: LedgerStream = {
  ...ledgerStream,
  projections: [...ledgerStream.projections, pendingClaimReviewsProjection],
};

const creditMiles = 'scoring.credit-miles';
const knowMembers = 'scoring.project-members';

/** What consumers write here and can be made again. Miles, badges and journeys are decided once: they stand in the log. */
export const readModels: readonly ReadModel[] = [
  {
    name: 'directory',
    tables: ['organisations', 'teams', 'members', 'team_memberships', 'credited_movements', 'bonus_completions'],
    groups: [creditMiles, knowMembers],
    instead: [
      rowsOnly(knowMembers, organisationFounded, ({ orgId, data }, { tx }) => keepOrganisation(tx, { orgId, ...data })),
      rowsOnly(creditMiles, movementLogged, showLogged),
      rowsOnly(creditMiles, movementCorrected, showCorrected),
      rowsOnly(creditMiles, movementRemoved, showRemoved),
    ],
    own: [keepBadgesDueSql],
  },
];

/** Tables that nobody else can tell again, and why. */
export const ownTables: Readonly<Record<string, string>> = {
  challenge_templates: 'what admins wrote',
  challenge_weeks: 'which weeks were opened, and when',
  weekly_challenges: 'what a week was opened with: templates change later',
  sent_reminders: 'who was reminded of what: told again they would be reminded twice',
  reached_challenges: 'who was told that a challenge is reached: told again they would be told twice',
  pending_credit_notices: 'credits of the last moments that somebody may have to be told of',
  board_generations: 'counts what boards in Redis stand on',
  member_ranks: 'a job writes them again out of the miles of weeks',
  ranked_organisations: 'what the ranks of members were written from',
};

/** What an operator can make again: of what is recorded here, what consumers wrote, and what others are told again. */
export const rebuildable = {
  kinds: [badgesStream, bonusChallengeStream, journeyStream, ledgerOfAll, weeklyClaimStream],
  afterReplay: {
    'miles-ledger': aggregateAll,
    streaks: (tx: Tx, events: readonly Decided<LedgerEvent>[]) =>
      renewStarts(
        tx,
        events.map(({ orgId, data }) => ({ orgId, userId: data.userId })),
      ),
  },
  readModels,
  history: [
    publicHistory(badgesStream),
    publicHistory(bonusChallengeStream, outcomesOf),
    publicHistory(journeyStream, contributorsOfEach),
    publicHistory(ledgerStream, figuresOf),
    publicHistory(weeklyClaimStream, figuresOf),
  ],
};

const listenersProvider = (port: symbol, ...inOrder: Type[]): FactoryProvider => ({
  provide: port,
  useFactory: (...listeners: unknown[]) => listeners,
  inject: inOrder,
});

const listeners = [
  listenersProvider(AfterCredit, CompletionsService, BadgeAwards, LeaderboardUpkeep),
  listenersProvider(
    AfterOrganisationNews,
    WeeksService,
    ScheduleBonusChallenges,
    AwardDueBadges,
    LeaderboardUpkeep,
    RankWeeks,
    Reminders,
  ),
];

/** The rooms in their order (tools/house/rooms.ts). */
const directory = { controllers: [DirectoryConsumer], providers: [OrganisationWeek] };
const ledger = {
  controllers: [CreditMilesConsumer, MilesController],
  providers: [LedgerService, { provide: LedgerStream, useValue: ledgerOfAll }],
};
const leaderboards = {
  controllers: [LeaderboardController],
  providers: [
    LeaderboardBuilds,
    LeaderboardService,
    LeaderboardUpkeep,
    MilesFigure,
    PlacesService,
    RedisLeaderboard,
    SharedBoards,
  ],
};
const boardWeeks = { controllers: [BoardWeeksController], providers: [RankWeeks] };
const dashboard = { controllers: [DashboardController], providers: [DashboardService] };
const badges = {
  controllers: [AwardPhotoBadgesConsumer, AwardSocialBadgesConsumer, AwardCheckpointBadgesConsumer, BadgesController],
  providers: [AwardDueBadges, BadgeAwards],
};
const journey = {
  controllers: [StartJourneysConsumer, JourneyController],
  providers: [JourneyService, UpdateJourneys],
};
const challengeTemplates = { controllers: [TemplatesController], providers: [] };
const weeklyChallenges = {
  controllers: [WeeklyChallengesController],
  providers: [ClaimReviewQueue, ClaimsService, LiveChallenges, OpenWeeks, WeeksService],
};
const bonusChallenges = {
  controllers: [BonusChallengeController],
  providers: [BonusChallengeScheduler, CompletionsService, ScheduleBonusChallenges],
};
const notices = { controllers: [], providers: [CreditNotices, Reminders, SendReminders] };
const analytics = { controllers: [AnalyticsController], providers: [] };
const myData = { controllers: [MyDataController], providers: [] };
const rooms: readonly { controllers: readonly Type[]; providers: readonly Provider[] }[] = [
  directory,
  ledger,
  leaderboards,
  boardWeeks,
  dashboard,
  badges,
  journey,
  challengeTemplates,
  weeklyChallenges,
  bonusChallenges,
  notices,
  analytics,
  myData,
];

@Module({})
export class AppModule implements OnModuleInit {
  constructor(
    @Inject(LeaderboardUpkeep) private readonly boards: LeaderboardUpkeep,
    @Inject(JourneyService) private readonly journeys: JourneyService,
  ) {}

  static forRoot(env: ServiceEnv): DynamicModule {
    const jobs = [
      awardDueBadges,
      closeBonusChallenge,
      openWeeks,
      rankWeeks,
      scheduleBonusChallenges,
      updateJourneys,
      sendReminders,
      deleteReminders,
    ];
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
