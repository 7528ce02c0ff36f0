import { AuthModule } from '@caravan/auth/auth.module';
import { MessagingModule } from '@caravan/messaging/messaging.module';
import type { ServiceEnv } from '@caravan/service-kit/env';
import { ServiceKitModule } from '@caravan/service-kit/service-kit.module';
import { type DynamicModule, Module } from '@nestjs/common';
import { awardDueBadges } from './award-due-badges.ts';
import { BadgesModule } from './badges/badges.module.ts';
import { SharedModule } from './shared.module.ts';
import { closeBonusChallenge, tendBonusChallenges } from './bonus-challenges/bonus-challenge-jobs.ts';
import { BonusChallengesModule } from './bonus-challenges/bonus-challenges.module.ts';
import { ChallengeTemplatesModule } from './challenge-templates/challenge-templates.module.ts';
import { DashboardModule } from './dashboard/dashboard.module.ts';
import { JourneyModule } from './journey/journey.module.ts';
import { tendJourneys } from './journey/tend-journeys.job.ts';
import { LeaderboardsModule } from './leaderboards/leaderboards.module.ts';
import { LedgerModule } from './ledger/ledger.module.ts';
import { MembersModule } from './members/members.module.ts';
import { MilesModule } from './miles/miles.module.ts';
import { MyDataModule } from './my-data/my-data.module.ts';
import { OrganisationsModule } from './organisations/organisations.module.ts';
import { openWeeks } from './weekly-challenges/open-weeks.job.ts';
import { WeeklyChallengesModule } from './weekly-challenges/weekly-challenges.module.ts';

@Module({})
export class AppModule {
  static forRoot(env: ServiceEnv): DynamicModule {
    return {
      module: AppModule,
      imports: [
        ServiceKitModule.forRoot(env, {
          jobs: [awardDueBadges, closeBonusChallenge, openWeeks, tendBonusChallenges, tendJourneys],
        }),
        AuthModule.forRoot(env),
        MessagingModule.forRoot(env),
        BadgesModule,
        SharedModule,
        BonusChallengesModule,
        ChallengeTemplatesModule,
        DashboardModule,
        JourneyModule,
        LeaderboardsModule,
        LedgerModule,
        MembersModule,
        MilesModule,
        MyDataModule,
        OrganisationsModule,
        WeeklyChallengesModule,
      ],
    };
  }
}
