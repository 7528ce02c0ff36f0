import { Log } from '@caravan/service-kit/log';
import { Inject, Injectable } from '@nestjs/common';
import { Tending } from './bonus-challenges/tending.client.ts';
import { Weeks } from './weekly-challenges/weeks.client.ts';

/** What a founded organisation finds at once: its running week's challenges and a bonus challenge (D40). */
@Injectable()
export class Newcomers {
  constructor(
    @Inject(Weeks) private readonly weeks: Weeks,
    @Inject(Tending) private readonly tending: Tending,
    @Inject(Log) private readonly log: Log,
  ) {}

  /** Call once the organisation is known here. What fails, the schedules make good. */
  async welcome(orgId: string): Promise<void> {
    const at = new Date();
    try {
      await this.weeks.running(orgId, at);
      await this.tending.tend(orgId, at);
    } catch (error) {
      this.log.warn({ err: error, orgId }, 'a new organisation waits for its first challenges');
    }
  }
}
