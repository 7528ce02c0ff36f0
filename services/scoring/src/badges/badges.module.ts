import { Global, Module } from '@nestjs/common';
import { BadgeAwards } from '../badge-awards.client.ts';
import { AwardTravellersWhenCheckpointReached } from './award-travellers-when-checkpoint-reached.consumer.ts';
import { AwardDueBadges } from './award-due-badges.job.ts';
import { BadgesController } from './badges.controller.ts';

@Global()
@Module({
  providers: [AwardDueBadges, BadgeAwards],
  controllers: [BadgesController, AwardTravellersWhenCheckpointReached],
  exports: [BadgeAwards],
})
export class BadgesModule {}
