import { RedisSessionCache } from '@caravan/auth/session-cache';
import { afterCommit } from '@caravan/event-store/postgres/connections';
import type { Tx } from '@caravan/event-store/core/event-store';
import { BackgroundWork } from '@caravan/service-kit/telemetry/background-work';
import { Log } from '@caravan/service-kit/telemetry/log';
import { Pool } from '@caravan/service-kit/storage/pool';
import { Repeating } from '@caravan/service-kit/process/repeating';
import { Inject, Injectable } from '@nestjs/common';
import type { OnApplicationBootstrap, OnModuleDestroy } from '@nestjs/common';
import { endSessions, forgetAnnounced, forgetEndsBefore, unannouncedEnds } from './session-ends.store.ts';
import type { EndingSessions } from './session-ends.store.ts';
import type { EndReason } from './session-rules.ts';
import { sessionsEndedSince } from './sessions.system.store.ts';

type Person = { readonly orgId: string; readonly userId: string };
type SessionRef = { readonly orgId: string; readonly sessionId: string };

const sweepMilliseconds = 2_000;
/** Tokens of a session that ended longer ago have expired. */
const askedForMilliseconds = 65 * 60_000;

/**
 * Every end of a session goes through here: the row, the pushes to its browser, and the announcement after the commit. An
 * announcement that Redis refuses, or whose process is killed before it, is repeated from its row by any process of this
 * service until it is written.
 */
@Injectable()
export class SessionEnds implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly underWay = new Set<Promise<void>>();
  private readonly sweeps: Repeating;
  private isRefused = false;

  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(RedisSessionCache) private readonly cache: RedisSessionCache,
    @Inject(Log) private readonly log: Log,
    @Inject(BackgroundWork) background: BackgroundWork,
  ) {
    this.sweeps = new Repeating({
      background,
      name: 'identity.announce-session-ends',
      everyMilliseconds: sweepMilliseconds,
      work: () => this.sweep(new Date()),
    });
  }

  onApplicationBootstrap(): void {
    // A session that ended while Redis was away may still stand there as live, as in an old copy of it.
    this.cache.onConnected(() => void this.announceRecent(new Date()));
    this.sweeps.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.sweeps.stop();
    await this.waitUntilAnnounced();
  }

  endOne(tx: Tx, { orgId, sessionId }: SessionRef, reason: EndReason, at: Date): Promise<readonly string[]> {
    return this.end(tx, { where: 'session_id = $4', values: [sessionId] }, { orgId, reason, at });
  }

  endAllOf(tx: Tx, { orgId, userId }: Person, reason: EndReason, at: Date): Promise<readonly string[]> {
    return this.end(tx, { where: 'user_id = $4', values: [userId] }, { orgId, reason, at });
  }

  /** A member's own session, as long as it is not over anyway. */
  async endOwn(tx: Tx, { orgId, userId }: Person, sessionId: string, at: Date): Promise<boolean> {
    const where = 'user_id = $4 and session_id = $5 and idle_at > $2 and expires_at > $2';
    const ended = await this.end(tx, { where, values: [userId, sessionId] }, { orgId, reason: 'signed-out', at });
    return ended.length === 1;
  }

  /** Ends all but the `count` sessions that were seen last. */
  async leaveNewest(tx: Tx, { orgId, userId }: Person, count: number, at: Date): Promise<void> {
    const where = `session_id in (
      select session_id from sessions where org_id = $1 and user_id = $4 and ended_at is null
      order by last_seen_at desc, session_id desc offset $5)`;
    await this.end(tx, { where, values: [userId, count] }, { orgId, reason: 'displaced', at });
  }

  /** Spares identity the first question about it. Never rejects. */
  announceStart(sessionId: string): Promise<void> {
    return this.cache.putLive(sessionId);
  }

  /** Never rejects. Those whose rows are gone already are announced as well. */
  announce(sessionIds: readonly string[]): Promise<void> {
    const announcing = this.write(sessionIds).finally(() => this.underWay.delete(announcing));
    this.underWay.add(announcing);
    return announcing;
  }

  /** Resolves once Redis was asked to announce every end that was committed before. Never rejects. */
  async waitUntilAnnounced(): Promise<void> {
    await Promise.all(this.underWay);
  }

  /** Rejects while Redis refuses to store an end. */
  async sweep(now: Date): Promise<void> {
    await forgetEndsBefore(this.pool, new Date(now.getTime() - askedForMilliseconds));
    const waiting = await unannouncedEnds(this.pool);
    if (waiting.length === 0) this.isRefused = false;
    else await this.announce(waiting);
    if (this.isRefused) throw new Error('Redis refuses to store that sessions have ended');
  }

  private async announceRecent(now: Date): Promise<void> {
    try {
      await this.announce(await sessionsEndedSince(this.pool, new Date(now.getTime() - askedForMilliseconds)));
    } catch (error) {
      this.log.error({ err: error }, 'ended sessions could not be announced');
    }
  }

  private async end(tx: Tx, which: EndingSessions, how: Parameters<typeof endSessions>[2]): Promise<readonly string[]> {
    const sessionIds = await endSessions(tx, which, how);
    if (sessionIds.length > 0) afterCommit(tx, () => void this.announce(sessionIds));
    return sessionIds;
  }

  private async write(sessionIds: readonly string[]): Promise<void> {
    if (sessionIds.length === 0) return;
    try {
      await this.cache.putEnded(sessionIds);
      await forgetAnnounced(this.pool, sessionIds);
      this.isRefused = false;
    } catch (error) {
      if (!this.isRefused)
        this.log.warn({ err: error }, 'ends of sessions are announced again until Redis stores them');
      this.isRefused = true;
    }
  }
}
