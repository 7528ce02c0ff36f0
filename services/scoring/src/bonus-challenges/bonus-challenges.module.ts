import { Global, Module } from '@nestjs/common';
import { BonusCompletions } from '../bonus-completions.client.ts';
import { BonusChallengeController } from './bonus-challenge.controller.ts';
import { LiveBonus } from './open-bonus.query.ts';
import { TendBonusChallenges } from './tend-bonus-challenges.job.ts';
import { Tending } from './tending.client.ts';

@Global()
@Module({
  controllers: [BonusChallengeController],
  providers: [BonusCompletions, LiveBonus, TendBonusChallenges, Tending],
  exports: [BonusCompletions, Tending],
})
export class BonusChallengesModule {}
