import { localDateOf, weekStartOf } from '@caravan/contracts/local-days';
import type { BatchContext } from '@caravan/messaging/consumer';
import { Live } from '@caravan/service-kit/live';
import { Log } from '@caravan/service-kit/log';
import { Inject, Injectable } from '@nestjs/common';
import { BonusChallengeScheduler } from './bonus-challenges/scheduler.service.ts';
import { openWeek } from './weekly-challenges/weeks.query.ts';

/** What a founded organisation finds at once: its running week's challenges and a bonus challenge (D40). */
@Injectable()
export class FirstChallenges {
  constructor(
    @Inject(BonusChallengeScheduler) private readonly scheduler: BonusChallengeScheduler,
    @Inject(Live) private readonly live: Live,
    @Inject(Log) private readonly log: Log,
  ) {}

  /** Call where the organisation becomes known here. The week is there with it; the bonus challenge follows. */
  async openFor(batch: BatchContext, orgId: string, timeZone: string): Promise<void> {
    const at = new Date();
    await openWeek(batch.tx, { orgId, startsOn: weekStartOf(localDateOf(at, timeZone)), at });
    batch.afterCommit(async () => {
      this.live.publish(orgId, ['challenges', 'stats', 'board']);
      // What fails, the schedule makes good.
      await this.scheduler.openDue(orgId, at).catch((error: unknown) => {
        this.log.warn({ err: error, orgId }, 'a new organisation waits for its first bonus challenge');
      });
    });
  }
}
