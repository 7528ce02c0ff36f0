import { HandlesJob } from '@caravan/service-kit/handles-job.decorator';
import { type Sweep, Sweeps } from '@caravan/service-kit/sweeps';
import { Inject, Injectable } from '@nestjs/common';
import type { z } from 'zod';
import { closeBonusChallenge, tendBonusChallenges } from './bonus-challenge-jobs.ts';
import { Tending } from './tending.client.ts';

/** Looks after the bonus challenges of all organisations, and closes each on time. */
@Injectable()
export class TendBonusChallenges {
  private readonly closing: Sweep;
  private readonly opening: Sweep;

  constructor(
    @Inject(Tending) private readonly tending: Tending,
    @Inject(Sweeps) sweeps: Sweeps,
  ) {
    this.closing = sweeps.of('scoring.close-bonus-challenges');
    this.opening = sweeps.of('scoring.open-bonus-challenges');
  }

  @HandlesJob(tendBonusChallenges)
  tend(): Promise<void> {
    return this.tendAll(new Date());
  }

  /** Closes whatever has expired, and opens one wherever none is open and it is time for one. */
  async tendAll(at: Date): Promise<void> {
    await this.closing.each(
      await this.tending.expired(at),
      ({ challengeId }) => challengeId,
      ({ orgId, challengeId }) => this.tending.close(orgId, challengeId, at),
    );
    await this.opening.each(
      await this.tending.placesWithoutOne(),
      ({ orgId }) => orgId,
      (place) => this.tending.openWhenItIsTime(place, at),
    );
  }

  @HandlesJob(closeBonusChallenge)
  async close({ orgId, challengeId }: z.infer<typeof closeBonusChallenge.data>): Promise<void> {
    await this.tending.close(orgId, challengeId, new Date());
  }
}
