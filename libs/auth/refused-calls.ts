import { EventStore } from '@caravan/event-store/core/event-store';
import { allowWrites } from '@caravan/event-store/postgres/reading';
import { auditedAct } from '@caravan/service-kit/telemetry/audited';
import { LimitReached, Limits } from '@caravan/service-kit/storage/limits';
import { Log } from '@caravan/service-kit/telemetry/log';
import { Redis } from '@caravan/service-kit/storage/redis';
import { logSecurity } from '@caravan/service-kit/telemetry/security-log';
import { Inject, Injectable } from '@nestjs/common';
import type { Caller } from './claims.ts';

export const RefusalLog = Symbol('RefusalLog');
export type RefusalLog = { write(caller: Caller, call: string): Promise<void> };

@Injectable()
export class PublishedRefusals implements RefusalLog {
  constructor(@Inject(EventStore) private readonly store: EventStore) {}

  async write({ meta }: Caller, call: string): Promise<void> {
    await this.store.transaction(meta, (unit) => unit.publish(auditedAct('access.refused', { text: call })));
  }
}

const ofOneCall = { name: 'refused-call', points: 1, seconds: 3_600 };
const ofOrganisation = { name: 'refused-calls-of-organisation', points: 200, seconds: 3_600 };

@Injectable()
export class RefusedCalls {
  private readonly limits: Limits;

  constructor(
    @Inject(Redis) redis: Redis,
    @Inject(Log) private readonly log: Log,
    @Inject(RefusalLog) private readonly refusals: RefusalLog,
  ) {
    this.limits = new Limits(redis);
  }

  /** Never throws: the refusal itself is what counts. */
  async note(caller: Caller, call: string): Promise<void> {
    const { userId, orgId } = caller;
    try {
      const counts = [
        { of: ofOneCall, by: `${userId} ${call}` },
        { of: ofOrganisation, by: orgId },
      ];
      await this.limits.charge(counts, async () => {
        logSecurity(this.log, 'admin-call-refused', { userId, orgId, call });
        await allowWrites(() => this.refusals.write(caller, call));
      });
    } catch (error) {
      if (error instanceof LimitReached) return;
      this.log.warn({ err: error, userId, orgId, call }, 'a refused call was not noted');
    }
  }
}
