import type { LiveKind } from '@caravan/contracts/http/live';
import { Inject, Injectable } from '@nestjs/common';
import { Log } from './log.ts';
import { channelName, Redis } from './redis.ts';

/** Pages of an organisation hear at most this often: many changes at once are one reason to read again. */
const pauseMilliseconds = 250;

/** Tells the open pages of an organisation what to read again (D35). */
@Injectable()
export class Live {
  /** What became due in the pause after an organisation's last message. */
  private readonly due = new Map<string, Set<LiveKind>>();

  constructor(
    @Inject(Redis) private readonly redis: Redis,
    @Inject(Log) private readonly log: Log,
  ) {}

  /**
   * Call after commit. The first message of an organisation leaves at once, what follows within 250 ms in one. Never
   * throws: a page that hears nothing still refetches when it reconnects.
   */
  publish(orgId: string, kinds: readonly LiveKind[]): void {
    const due = this.due.get(orgId);
    if (due) {
      for (const kind of kinds) due.add(kind);
      return;
    }
    this.send(orgId, kinds);
    this.due.set(orgId, new Set());
    setTimeout(() => this.endPause(orgId), pauseMilliseconds).unref();
  }

  private endPause(orgId: string): void {
    const kinds = [...(this.due.get(orgId) ?? [])];
    this.due.delete(orgId);
    if (kinds.length > 0) this.publish(orgId, kinds);
  }

  private send(orgId: string, kinds: readonly LiveKind[]): void {
    const message = JSON.stringify({ orgId, kinds });
    this.redis.publish(channelName(this.redis, `live:${orgId}`), message).catch((error: unknown) => {
      this.log.debug({ err: error }, 'live message not sent');
    });
  }
}
