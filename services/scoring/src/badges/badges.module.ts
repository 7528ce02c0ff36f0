import { Global, Module } from '@nestjs/common';
import { BadgeAwards } from '../badge-awards.client.ts';
import { AwardTravellersWhenCheckpointReached } from './award-travellers-when-checkpoint-reached.consumer.ts';
import { BadgesController } from './badges.controller.ts';

@Global()
@Module({
  providers: [BadgeAwards],
  controllers: [BadgesController, AwardTravellersWhenCheckpointReached],
  exports: [BadgeAwards],
})
export class BadgesModule {}
