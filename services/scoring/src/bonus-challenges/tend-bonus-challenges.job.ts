import { HandlesJob } from '@caravan/service-kit/handles-job.decorator';
import { Inject, Injectable } from '@nestjs/common';
import type { z } from 'zod';
import { closeBonusChallenge, tendBonusChallenges } from './bonus-challenge-jobs.ts';
import { Tending } from './tending.client.ts';

/** Looks after the bonus challenges of all organisations, and closes each on time. */
@Injectable()
export class TendBonusChallenges {
  constructor(@Inject(Tending) private readonly tending: Tending) {}

  @HandlesJob(tendBonusChallenges)
  async tend(): Promise<void> {
    await this.tending.tendAll(new Date());
  }

  @HandlesJob(closeBonusChallenge)
  async close({ orgId, challengeId }: z.infer<typeof closeBonusChallenge.data>): Promise<void> {
    await this.tending.close(orgId, challengeId, new Date());
  }
}
