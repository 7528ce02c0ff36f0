import { Module } from '@nestjs/common';
import { Claims } from './claims.client.ts';
import { Doubts } from './doubts.client.ts';
import { OpenFirstWeekWhenOrganisationFounded } from './open-first-week-when-organisation-founded.consumer.ts';
import { OpenWeeks } from './open-weeks.job.ts';
import { Weeks } from './weeks.client.ts';
import { WeeklyChallengesController } from './weekly-challenges.controller.ts';

@Module({
  controllers: [WeeklyChallengesController, OpenFirstWeekWhenOrganisationFounded],
  providers: [Claims, Doubts, OpenWeeks, Weeks],
})
export class WeeklyChallengesModule {}
