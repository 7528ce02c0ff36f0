import type { LiveKind } from '@caravan/contracts/http/live';
import { Inject, Injectable } from '@nestjs/common';
import { Log } from './log.ts';
import { channelName, Redis } from './redis.ts';

/** Tells the open pages of an organisation what to read again (D35). */
@Injectable()
export class Live {
  constructor(
    @Inject(Redis) private readonly redis: Redis,
    @Inject(Log) private readonly log: Log,
  ) {}

  /** Call after commit. Never throws: a page that hears nothing still refetches when it reconnects. */
  publish(orgId: string, kinds: readonly LiveKind[]): void {
    const message = JSON.stringify({ orgId, kinds });
    this.redis.publish(channelName(this.redis, `live:${orgId}`), message).catch((error: unknown) => {
      this.log.debug({ err: error }, 'live message not sent');
    });
  }
}
