import { RedisSessionCache } from '@caravan/auth/session-cache';
import type { SessionState, SessionSource } from '@caravan/auth/session-liveness';
import { Log } from '@caravan/service-kit/log';
import { Pool } from '@caravan/service-kit/pool';
import { Redis } from '@caravan/service-kit/redis';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { sessionsEndedSince, sessionStateOf } from '../across-organisations.query.ts';

// Nobody holds a valid token of a session that ended longer ago.
const askedForMilliseconds = 65 * 60_000;

@Injectable()
export class SessionStates implements SessionSource, OnModuleInit {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(Redis) private readonly redis: Redis,
    @Inject(RedisSessionCache) private readonly cache: RedisSessionCache,
    @Inject(Log) private readonly log: Log,
  ) {}

  onModuleInit(): void {
    // What ended while Redis was away may still stand there as live.
    const announce = () =>
      this.announceEnds().catch((error: unknown) =>
        this.log.error({ err: error }, 'ended sessions could not be announced'),
      );
    this.redis.on('ready', () => void announce());
    if (this.redis.status === 'ready') void announce();
  }

  async stateOf(sessionId: string): Promise<SessionState> {
    const state = await sessionStateOf(this.pool, sessionId, new Date());
    // Who asks need not wait for the copy.
    if (state === 'live') void this.cache.putLive(sessionId);
    return state;
  }

  private async announceEnds(): Promise<void> {
    await this.cache.putEnded(await sessionsEndedSince(this.pool, new Date(Date.now() - askedForMilliseconds)));
  }
}
