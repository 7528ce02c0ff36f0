import { BackgroundWork } from '@caravan/service-kit/telemetry/background-work';
import { GatewayPresence } from '@caravan/service-kit/storage/gateway-presence';
import { Log } from '@caravan/service-kit/telemetry/log';
import { Pool } from '@caravan/service-kit/storage/pool';
import { Redis } from '@caravan/service-kit/storage/redis';
import { Repeating } from '@caravan/service-kit/process/repeating';
import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { catchUpAfterOutage } from './missed-deliveries.system.store.ts';

const lookMilliseconds = 10_000;
/** Platforms deliver again what was missed for a shorter time. */
const outageMilliseconds = 45_000;

/**
 * Notes until when deliveries could be received: a gateway was there, and this service with its database. After an outage
 * every account is synced once, since platforms give up after a few attempts (ADR 0065).
 */
@Injectable()
export class MissedDeliveries implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly looks: Repeating;
  private readonly presence: GatewayPresence;

  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(Redis) redis: Redis,
    @Inject(Log) private readonly log: Log,
    @Inject(BackgroundWork) background: BackgroundWork,
  ) {
    this.presence = new GatewayPresence(redis);
    this.looks = new Repeating({
      background,
      name: 'integrations.missed-deliveries',
      everyMilliseconds: lookMilliseconds,
      work: () => this.look(),
    });
  }

  onApplicationBootstrap(): void {
    this.looks.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.looks.stop();
  }

  /** One of several processes that find an outage begins the syncs. */
  async look(): Promise<void> {
    if ((await this.presence.state()) === 'gone') return;
    const begun = await catchUpAfterOutage(this.pool, outageMilliseconds);
    if (begun) this.log.warn(begun, 'deliveries of platforms may have been missed: accounts are synced');
  }
}
