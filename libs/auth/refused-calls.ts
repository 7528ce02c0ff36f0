import { EventStore } from '@caravan/event-store/event-store';
import { notingTheReader } from '@caravan/event-store/reading';
import { audited } from '@caravan/service-kit/audited';
import { Log } from '@caravan/service-kit/log';
import { Redis } from '@caravan/service-kit/redis';
import { logSecurity } from '@caravan/service-kit/security-log';
import { Inject, Injectable } from '@nestjs/common';
import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import type { Caller } from './claims.ts';

/** Injection token of where refused calls are written down. */
export const RefusalLog = Symbol('RefusalLog');
export type RefusalLog = { write(caller: Caller, call: string): Promise<void> };

/** Tells identity, which keeps the audit log of all services. */
@Injectable()
export class PublishedRefusals implements RefusalLog {
  constructor(@Inject(EventStore) private readonly store: EventStore) {}

  async write({ meta }: Caller, call: string): Promise<void> {
    await this.store.transaction(meta, (unit) => unit.publish(audited('access.refused', { text: call })));
  }
}

const hourSeconds = 3_600;
const mostOfAnOrganisation = 200;

/** Notes members who ask for what only admins may do: each call of a member once an hour, however often it comes. */
@Injectable()
export class RefusedCalls {
  private readonly calls: RateLimiterAbstract;
  private readonly organisations: RateLimiterAbstract;

  constructor(
    @Inject(Redis) redis: Redis,
    @Inject(Log) private readonly log: Log,
    @Inject(RefusalLog) private readonly refusals: RefusalLog,
  ) {
    this.calls = hourly(redis, 'refused:call', 1);
    this.organisations = hourly(redis, 'refused:organisation', mostOfAnOrganisation);
  }

  /** Never throws: the refusal itself is what counts. @param call method and path, such as `PUT /api/journey` */
  async note(caller: Caller, call: string): Promise<void> {
    const { userId, orgId } = caller;
    try {
      if (!(await isWithin(this.calls, `${userId} ${call}`)) || !(await isWithin(this.organisations, orgId))) return;
      logSecurity(this.log, 'admin-call-refused', { userId, orgId, call });
      await notingTheReader(() => this.refusals.write(caller, call));
    } catch (error) {
      this.log.warn({ err: error, userId, orgId, call }, 'a refused call was not noted');
    }
  }
}

function hourly(redis: Redis, keyPrefix: string, points: number): RateLimiterAbstract {
  const limits = { keyPrefix, points, duration: hourSeconds };
  // Without Redis each process counts for itself.
  const insuranceLimiter = new RateLimiterMemory(limits);
  return new RateLimiterRedis({ ...limits, storeClient: redis, rejectIfRedisNotReady: true, insuranceLimiter });
}

async function isWithin(limiter: RateLimiterAbstract, key: string): Promise<boolean> {
  try {
    await limiter.consume(key);
    return true;
  } catch (state) {
    if (state instanceof RateLimiterRes) return false;
    throw state;
  }
}
