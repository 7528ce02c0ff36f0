import { Global, Module } from '@nestjs/common';
import { BonusCompletions } from '../bonus-completions.client.ts';
import { BonusChallengeController } from './bonus-challenge.controller.ts';
import { LiveBonus } from './open-bonus.query.ts';
import { TendBonusChallenges } from './tend-bonus-challenges.job.ts';
import { BonusChallengeScheduler } from './scheduler.service.ts';

@Global()
@Module({
  controllers: [BonusChallengeController],
  providers: [BonusCompletions, LiveBonus, TendBonusChallenges, BonusChallengeScheduler],
  exports: [BonusCompletions, BonusChallengeScheduler],
})
export class BonusChallengesModule {}
