import { AuthModule } from '@caravan/auth/auth.module';
import { companySetUp, memberJoined, organisationClosed } from '@caravan/contracts/events/identity.events';
import { publicHistory } from '@caravan/event-store/rebuild/public-history';
import type { AdminCommandContext } from '@caravan/messaging/operator/admin-command';
import { MessagingModule } from '@caravan/messaging/messaging.module';
import { type ReadModel, rowsOnly } from '@caravan/messaging/consumer/read-model';
import type { ServiceEnv } from '@caravan/service-kit/process/env';
import { ServiceKitModule } from '@caravan/service-kit/http/service-kit.module';
import { type DynamicModule, type FactoryProvider, Module, type Provider, type Type } from '@nestjs/common';
import { BallotOpenings } from './ballots/ballot-openings.service.ts';
import { BallotsController, VotingController } from './ballots/ballots.controller.ts';
import { namesOfEach } from './ballots/ballots.query.ts';
import { BallotsService } from './ballots/ballots.service.ts';
import { EndBallots, endBallots } from './ballots/end-ballots.job.ts';
import { LiveBallots } from './ballots/live-ballots.service.ts';
import { ballotStream } from './ballots/ballot-stream.ts';
import { settleBallots, SettleBallotsConsumer } from './ballots/settle-ballots.consumer.ts';
import { CommentsController } from './comments/comments.controller.ts';
import { CommentsService } from './comments/comments.service.ts';
import { LiveComments } from './comments/live-comments.service.ts';
import { DirectoryConsumer } from './directory/directory.consumer.ts';
import { addMember, keepSetUp } from './directory/directory.store.ts';
import { ChangedEntries } from './feed/changed-entries.client.ts';
import { ActivityFeedController, FeedController, GalleryController } from './feed/feed.controller.ts';
import { FeedService } from './feed/feed.service.ts';
import { DeleteFeedChanges, deleteFeedChanges } from './feed/delete-feed-changes.job.ts';
import { LiveFeed } from './feed/live-feed.service.ts';
import { PostCheckpointsConsumer, PostMovementsConsumer } from './feed/posts.consumer.ts';
import { MyDataController } from './my-data/my-data.controller.ts';
import { AnnounceNotices, announceNotices } from './notifications/announce-notices.job.ts';
import { NoticesService } from './notifications/notices.service.ts';
import { NotificationsController } from './notifications/notifications.controller.ts';
import { NotifyOfIdentityConsumer } from './notifications/notify-of-identity.consumer.ts';
import { NotifyOfIntegrationsConsumer } from './notifications/notify-of-integrations.consumer.ts';
import { NotifyOfScoringConsumer } from './notifications/notify-of-scoring.consumer.ts';
import { NotifyOfSocialConsumer } from './notifications/notify-of-social.consumer.ts';
import { SweepNotices, sweepNotices } from './notifications/sweep-notices.job.ts';
import { NoticeVisibility } from './notifications/visibility.service.ts';
import { LiveReactions } from './reactions/live-reactions.service.ts';
import { reactionsStream } from './reactions/reactions-stream.ts';
import { ReactionListController, ReactionsController } from './reactions/reactions.controller.ts';
import { buildRecaps, BuildRecaps } from './recaps/build-recaps.job.ts';
import { ProjectWeekFiguresConsumer, projectWeekFigures } from './recaps/project-week-figures.consumer.ts';
import { RecapPictures } from './recaps/recap-pictures.service.ts';
import { RecapPicturesController, RecapsController } from './recaps/recaps.controller.ts';
import { RecapsService } from './recaps/recaps.service.ts';
import { AfterSetUp, AfterVisibility } from './ports.ts';

const knowMembers = 'social.project-members';

/** The tables that consumers write and that can be rebuilt. */
export const readModels: readonly ReadModel[] = [
  {
    name: 'feed',
    tables: ['organisations', 'teams', 'members', 'posts', 'checkpoint_entries'],
    groups: ['social.post-movements', 'social.post-checkpoints', knowMembers],
    // Ballots were opened once: they stand in the log. Notices are no rows of this.
    instead: [
      rowsOnly(knowMembers, companySetUp, ({ orgId, data }, { tx }) => keepSetUp(tx, orgId, data)),
      rowsOnly(knowMembers, memberJoined, ({ orgId, data }, { tx }) => addMember(tx, { orgId, ...data }, data)),
    ],
  },
  {
    name: 'ballot-results',
    tables: ['ballot_results'],
    groups: [settleBallots],
    instead: [rowsOnly(settleBallots, organisationClosed, () => undefined)],
  },
  {
    name: 'week-figures',
    tables: ['recap_member_weeks', 'recap_achievements'],
    groups: [projectWeekFigures],
  },
];

/** Tables that nobody else can tell again, and why. */
export const ownTables: Readonly<Record<string, string>> = {
  feed_changes: 'which transactions changed what feeds show, for a minute (design/live-pages.md)',
  comments: 'what members wrote; no log holds it, so that it can be forgotten',
  comment_reports: 'what members wrote to admins about comments',
  ballot_names: 'names that were suggested or typed for ballots, which the log never holds',
  weekly_recaps: 'what was told of weeks on their Mondays; figures that change later change nothing of it',
  recap_engagement: 'what members said of recaps',
  recap_analytics: 'sign-ins and logs as they were counted when a recap was built',
  recap_sign_ins: 'sign-ins are told once and kept by nobody, so that nobody is followed by them',
  first_ballot_rounds: 'organisations whose first set-up has opened ballots',
  notices: 'what members were notified of, and have read: made again, they would be told twice (ADR 0048)',
  notice_items: 'what notices tell as one',
  notice_mutes: 'of what members want to hear nothing',
};

/** What an operator can make again: of what is recorded here, what consumers wrote, and what others are told again. */
export const rebuildable: Pick<AdminCommandContext, 'kinds' | 'readModels' | 'history'> = {
  kinds: [reactionsStream, ballotStream],
  readModels,
  history: [publicHistory(reactionsStream), publicHistory(ballotStream, namesOfEach)],
};

const listenersProvider = (port: symbol, ...inOrder: Type[]): FactoryProvider => ({
  provide: port,
  useFactory: (...listeners: unknown[]) => listeners,
  inject: inOrder,
});

const listeners = [
  listenersProvider(AfterSetUp, BallotOpenings),
  listenersProvider(AfterVisibility, LiveComments, NoticeVisibility),
];

type Room = { readonly controllers: readonly Type[]; readonly providers: readonly Provider[] };

/** In their order (tools/house/rooms.ts). */
const directory: Room = { controllers: [DirectoryConsumer], providers: [] };
const feed: Room = {
  controllers: [
    PostMovementsConsumer,
    PostCheckpointsConsumer,
    FeedController,
    ActivityFeedController,
    GalleryController,
  ],
  providers: [FeedService, LiveFeed, ChangedEntries, DeleteFeedChanges],
};
const reactions: Room = { controllers: [ReactionsController, ReactionListController], providers: [LiveReactions] };
const comments: Room = {
  controllers: [CommentsController],
  providers: [CommentsService, LiveComments],
};
const ballots: Room = {
  controllers: [SettleBallotsConsumer, VotingController, BallotsController],
  providers: [BallotOpenings, BallotsService, EndBallots, LiveBallots],
};
const recaps: Room = {
  controllers: [ProjectWeekFiguresConsumer, RecapsController, RecapPicturesController],
  providers: [RecapsService, RecapPictures, BuildRecaps],
};
const notifications: Room = {
  controllers: [
    NotifyOfSocialConsumer,
    NotifyOfScoringConsumer,
    NotifyOfIdentityConsumer,
    NotifyOfIntegrationsConsumer,
    NotificationsController,
  ],
  providers: [AnnounceNotices, NoticesService, NoticeVisibility, SweepNotices],
};
const myData: Room = { controllers: [MyDataController], providers: [] };
const rooms = [directory, feed, reactions, comments, ballots, recaps, notifications, myData];

@Module({})
export class AppModule {
  static forRoot(env: ServiceEnv): DynamicModule {
    return {
      module: AppModule,
      imports: [
        ServiceKitModule.forRoot(env, {
          jobs: [deleteFeedChanges, endBallots, buildRecaps, announceNotices, sweepNotices],
        }),
        AuthModule.forRoot(env),
        MessagingModule.forRoot(env),
      ],
      controllers: rooms.flatMap(({ controllers }) => [...controllers]),
      providers: [...rooms.flatMap(({ providers }) => [...providers]), ...listeners],
    };
  }
}
