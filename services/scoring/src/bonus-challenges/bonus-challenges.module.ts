import { Module } from '@nestjs/common';
import { BonusChallengeController } from './bonus-challenge.controller.ts';
import { TendBonusChallenges } from './tend-bonus-challenges.job.ts';
import { Tending } from './tending.client.ts';

@Module({ controllers: [BonusChallengeController], providers: [TendBonusChallenges, Tending] })
export class BonusChallengesModule {}
