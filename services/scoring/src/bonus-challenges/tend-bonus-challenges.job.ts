import { HandlesJob } from '@caravan/service-kit/handles-job.decorator';
import { Jobs } from '@caravan/service-kit/jobs';
import { Log } from '@caravan/service-kit/log';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import type { z } from 'zod';
import { closeBonusChallenge, tendBonusChallenges } from './bonus-challenge-jobs.ts';
import { Tending } from './tending.client.ts';

const everySeconds = 30;

/** Looks after the bonus challenges of all organisations, and closes each on time. */
@Injectable()
export class TendBonusChallenges implements OnApplicationBootstrap {
  constructor(
    @Inject(Jobs) private readonly jobs: Jobs,
    @Inject(Tending) private readonly tending: Tending,
    @Inject(Log) private readonly log: Log,
  ) {}

  onApplicationBootstrap(): void {
    this.jobs
      .schedule(tendBonusChallenges, {}, { everySeconds })
      .catch((error: unknown) => this.log.warn({ err: error }, 'the tending of bonus challenges is not scheduled'));
  }

  @HandlesJob(tendBonusChallenges)
  async tend(): Promise<void> {
    await this.tending.tendAll(new Date());
  }

  @HandlesJob(closeBonusChallenge)
  async close({ orgId, challengeId }: z.infer<typeof closeBonusChallenge.data>): Promise<void> {
    await this.tending.close(orgId, challengeId, new Date());
  }
}
