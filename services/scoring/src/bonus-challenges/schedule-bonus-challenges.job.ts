import type { BatchContext } from '@caravan/messaging/consumer/consumer';
import { HandlesJob } from '@caravan/service-kit/jobs/handles-job.decorator';
import { type Sweep, Sweeps } from '@caravan/service-kit/jobs/sweeps';
import { Inject, Injectable } from '@nestjs/common';
import type { z } from 'zod';
import type { AfterOrganisationNews } from '../ports.ts';
import { BonusChallengeScheduler, closeBonusChallenge, scheduleBonusChallenges } from './scheduler.service.ts';

/** Looks after the bonus challenges of all organisations, and closes each on time. */
@Injectable()
export class ScheduleBonusChallenges implements AfterOrganisationNews {
  private readonly closing: Sweep;
  private readonly opening: Sweep;

  constructor(
    @Inject(BonusChallengeScheduler) private readonly scheduler: BonusChallengeScheduler,
    @Inject(Sweeps) sweeps: Sweeps,
  ) {
    this.closing = sweeps.of('scoring.close-bonus-challenges');
    this.opening = sweeps.of('scoring.open-bonus-challenges');
  }

  /** A founded organisation finds a bonus challenge at once (D40). */
  afterFounded({ orgId, at }: { orgId: string; at: Date }, batch: BatchContext): void {
    batch.afterCommit(() =>
      // What fails, the schedule makes good.
      this.scheduler.openDue(orgId, at).catch((error: unknown) => {
        this.opening.log.warn({ err: error, orgId }, 'a new organisation waits for its first bonus challenge');
      }),
    );
  }

  @HandlesJob(scheduleBonusChallenges)
  schedule(): Promise<void> {
    return this.scheduleAll(new Date());
  }

  /** Closes whatever has expired, and opens one wherever none is open and it is time for one. */
  async scheduleAll(at: Date): Promise<void> {
    await this.closing.each(
      await this.scheduler.findExpired(at),
      ({ challengeId }) => challengeId,
      ({ orgId, challengeId }) => this.scheduler.close(orgId, challengeId, at),
    );
    await this.opening.each(
      await this.scheduler.candidates(),
      ({ orgId }) => orgId,
      (candidate) => this.scheduler.openWhenItIsTime(candidate, at),
    );
  }

  @HandlesJob(closeBonusChallenge)
  async close({ orgId, challengeId }: z.infer<typeof closeBonusChallenge.data>): Promise<void> {
    await this.scheduler.close(orgId, challengeId, new Date());
  }
}
