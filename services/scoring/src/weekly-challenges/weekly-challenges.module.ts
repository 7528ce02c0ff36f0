import { Global, Module } from '@nestjs/common';
import { Claims } from './claims.client.ts';
import { Doubts } from './doubts.client.ts';
import { OpenWeeks } from './open-weeks.job.ts';
import { Weeks } from './weeks.client.ts';
import { WeeklyChallengesController } from './weekly-challenges.controller.ts';

@Global()
@Module({
  controllers: [WeeklyChallengesController],
  providers: [Claims, Doubts, OpenWeeks, Weeks],
  exports: [Weeks],
})
export class WeeklyChallengesModule {}
