import type { ServerResponse } from 'node:http';
import type { Claims } from '@caravan/auth/claims';
import type { SessionLiveness } from '@caravan/auth/session-liveness';
import type { LiveTopic } from '@caravan/contracts/domain/live-topics';
import { Rejected } from '@caravan/kernel/rejected';
import { EventStream } from './event-stream.ts';
import type { LiveHub } from './hub.ts';
import { StreamSlots } from './stream-slots.ts';

export type PageRequest = {
  readonly claims: Claims;
  readonly response: ServerResponse;
  readonly headers: Readonly<Record<string, string>>;
  readonly lastEventId: string | undefined;
  readonly shows?: readonly LiveTopic[] | undefined;
  readonly isFirst: boolean;
};

/** Each ends with its token, its session, or when a newer page needs its slot (D35). */
export class OpenPages {
  private readonly slots = new StreamSlots();
  private readonly open = new Set<EventStream>();
  private isStopping = false;
  private readonly hub: LiveHub;
  private readonly sessions: SessionLiveness;
  private readonly heartbeatMilliseconds: number;

  constructor(hub: LiveHub, sessions: SessionLiveness, heartbeatMilliseconds: number) {
    this.hub = hub;
    this.sessions = sessions;
    this.heartbeatMilliseconds = heartbeatMilliseconds;
  }

  hold({ claims, response, headers, lastEventId, shows, isFirst }: PageRequest): void {
    const { org: orgId, sub: userId, sid: sessionId, role } = claims;
    const isAdmin = role === 'admin';
    const page = new EventStream(response, headers, lastEventId);
    const leaveAll = [
      this.hub.listen({ orgId, userId, shows, isAdmin, isFirst }, (message) => page.send(message)),
      this.hub.listenForEnd(sessionId, () => page.close()),
      this.slots.acquire({ userId, sessionId }, () => page.close('replaced')),
    ];
    const expiry = setTimeout(() => page.close(), claims.exp * 1000 - Date.now()).unref();
    const heartbeat = setInterval(() => {
      if (shows) page.count(this.hub.pagesOf(orgId));
      void this.beat(page, sessionId);
    }, this.heartbeatMilliseconds).unref();
    this.open.add(page);
    if (shows) page.count(this.hub.pagesOf(orgId));
    if (this.isStopping) page.close('stopping');
    response.once('close', () => {
      clearTimeout(expiry);
      clearInterval(heartbeat);
      this.open.delete(page);
      for (const leave of leaveAll) leave();
    });
  }

  closeAll(): void {
    this.isStopping = true;
    for (const page of this.open) page.close('stopping');
  }

  get count(): number {
    return this.open.size;
  }

  // The announcement of the session's end may have been lost.
  private async beat(page: EventStream, sessionId: string): Promise<void> {
    page.beat();
    try {
      await this.sessions.assertLive(sessionId);
    } catch (error) {
      // While nobody can tell, the page stays: its token ends it within the hour.
      if (error instanceof Rejected && error.kind === 'unauthenticated') page.close();
    }
  }
}
