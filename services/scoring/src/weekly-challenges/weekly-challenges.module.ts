import { Global, Module } from '@nestjs/common';
import { Claims } from './claims.client.ts';
import { Doubts } from './doubts.client.ts';
import { LiveChallenges } from './live-challenges.query.ts';
import { OpenWeeks } from './open-weeks.job.ts';
import { Weeks } from './weeks.client.ts';
import { WeeklyChallengesController } from './weekly-challenges.controller.ts';

@Global()
@Module({
  controllers: [WeeklyChallengesController],
  providers: [Claims, Doubts, LiveChallenges, OpenWeeks, Weeks],
  exports: [Weeks],
})
export class WeeklyChallengesModule {}
