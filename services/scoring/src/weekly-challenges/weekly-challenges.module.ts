import { Global, Module } from '@nestjs/common';
import { ClaimsService } from './claims.service.ts';
import { ClaimReviewQueue } from './claim-review-queue.service.ts';
import { LiveChallenges } from './live-challenges.query.ts';
import { OpenWeeks } from './open-weeks.job.ts';
import { WeeksService } from './weeks.service.ts';
import { WeeklyChallengesController } from './weekly-challenges.controller.ts';

@Global()
@Module({
  controllers: [WeeklyChallengesController],
  providers: [ClaimsService, ClaimReviewQueue, LiveChallenges, OpenWeeks, WeeksService],
  exports: [WeeksService],
})
export class WeeklyChallengesModule {}
