import type { LiveAnnouncement, LiveKind } from '@caravan/contracts/http/live';
import { Inject, Injectable } from '@nestjs/common';
import { Log } from './log.ts';
import { channelName, Redis } from './redis.ts';

/** Pages of an organisation hear at most this often: many changes at once are one reason to read again. */
const pauseMilliseconds = 250;

type Due = { readonly kinds: Set<LiveKind>; readonly persons: Map<string, Set<LiveKind>> };

/** Tells the open pages of an organisation, or of one person, what to read again (D35). */
@Injectable()
export class Live {
  /** What became due in the pause after an organisation's last message. */
  private readonly due = new Map<string, Due>();

  constructor(
    @Inject(Redis) private readonly redis: Redis,
    @Inject(Log) private readonly log: Log,
  ) {}

  /**
   * Call after commit; with `to` only that person's pages hear it. The first message of an organisation leaves at once,
   * what follows within 250 ms in one. Never throws: a page that hears nothing still refetches when it reconnects.
   */
  publish(orgId: string, kinds: readonly LiveKind[], { to }: { readonly to?: string } = {}): void {
    const due = this.due.get(orgId);
    if (due) {
      add(due, kinds, to);
      return;
    }
    const now = nothingDue();
    add(now, kinds, to);
    this.send(orgId, now);
  }

  private send(orgId: string, { kinds, persons }: Due): void {
    this.due.set(orgId, nothingDue());
    setTimeout(() => this.endPause(orgId), pauseMilliseconds).unref();
    const announcement: LiveAnnouncement = {
      kinds: [...kinds],
      ...(persons.size > 0 && {
        persons: Object.fromEntries([...persons].map(([userId, theirs]) => [userId, [...theirs]])),
      }),
    };
    const channel = channelName(this.redis, `live:${orgId}`);
    this.redis.publish(channel, JSON.stringify(announcement)).catch((error: unknown) => {
      this.log.debug({ err: error }, 'live message not sent');
    });
  }

  private endPause(orgId: string): void {
    const due = this.due.get(orgId);
    this.due.delete(orgId);
    if (due && due.kinds.size + due.persons.size > 0) this.send(orgId, due);
  }
}

const nothingDue = (): Due => ({ kinds: new Set(), persons: new Map() });

function add({ kinds: everybodys, persons }: Due, kinds: readonly LiveKind[], to: string | undefined): void {
  const known = to === undefined ? everybodys : (persons.get(to) ?? new Set());
  for (const kind of kinds) known.add(kind);
  if (to !== undefined) persons.set(to, known);
}
