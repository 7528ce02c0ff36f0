import { Rejected } from '@caravan/kernel/rejected';
import { BadAnswer, Dependency } from '@caravan/service-kit/process/dependency';
import { type ServiceCredential, timeLeftHeader } from '@caravan/service-kit/http/service-credential';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';

export const sessionStateSchema = z.object({ state: z.enum(['live', 'ended']) });
export type SessionState = z.infer<typeof sessionStateSchema>['state'];

export type SessionCache = {
  read(sessionId: string): Promise<SessionState | undefined>;
  onEnded(listener: (sessionId: string) => void): Promise<void>;
  /** Calls it whenever announcements may have been missed. */
  onInterrupted(listener: () => void): void;
  /** False while announcements of ended sessions may be missed. */
  isListening(): boolean;
};

export type SessionSource = { stateOf(sessionId: string): Promise<SessionState> };

const cachedSessions = 20_000;
const liveMilliseconds = 1_000;
const endedMilliseconds = 3_600_000;
/** How long a live session is trusted while neither Redis nor identity answers: its end would have been announced. */
const trustedMilliseconds = 15_000;

/**
 * From memory for at most one second, else from Redis, else from identity. When none of them answers, a session that was
 * live a moment ago still is, as long as no announcement was missed since; other sessions are unavailable.
 */
export class SessionLiveness {
  private readonly states;
  private readonly confirmed;
  private interruptions = 0;

  constructor(
    private readonly cache: SessionCache,
    private readonly source: SessionSource,
    clock: { now(): number } = performance,
  ) {
    const options = { max: cachedSessions, perf: clock, ttlResolution: 0 };
    this.states = new LRUCache<string, SessionState>(options);
    this.confirmed = new LRUCache<string, true>({ ...options, ttl: trustedMilliseconds });
  }

  listen(): Promise<void> {
    this.cache.onInterrupted(() => {
      this.interruptions += 1;
      this.confirmed.clear();
    });
    return this.cache.onEnded((sessionId) => this.states.set(sessionId, 'ended', { ttl: endedMilliseconds }));
  }

  /** Throws `Rejected`: unauthenticated for an ended session, unavailable when nobody can tell. */
  async assertLive(sessionId: string): Promise<void> {
    if ((await this.stateOf(sessionId)) === 'live') return;
    throw new Rejected('auth/session-ended', 'unauthenticated', 'Your session has ended. Please sign in again.');
  }

  private async stateOf(sessionId: string): Promise<SessionState> {
    const remembered = this.states.get(sessionId);
    // An end is final; what lives is asked about again while its end might go unheard.
    if (remembered === 'ended' || (remembered && this.cache.isListening())) return remembered;
    const { interruptions } = this;
    const state = (await this.cache.read(sessionId)) ?? (await this.ask(sessionId));
    // It may have ended while its state was on the way.
    if (this.states.get(sessionId) === 'ended') return 'ended';
    if (state === 'trusted') return 'live';
    if (state === 'ended') this.states.set(sessionId, state, { ttl: endedMilliseconds });
    else {
      this.states.set(sessionId, state, { ttl: liveMilliseconds });
      if (interruptions === this.interruptions) this.confirmed.set(sessionId, true);
    }
    return state;
  }

  private async ask(sessionId: string): Promise<SessionState | 'trusted'> {
    try {
      return await this.source.stateOf(sessionId);
    } catch {
      if (this.cache.isListening() && this.confirmed.has(sessionId)) return 'trusted';
      throw new Rejected(
        'auth/sessions-unavailable',
        'unavailable',
        'Sign-in cannot be checked right now. Please try again.',
        {
          retryAfterSeconds: 1,
        },
      );
    }
  }
}

export const sessionsDependency = { name: 'sessions', budgetMilliseconds: 1_000 };

export function remoteSessions(
  identityUrl: string,
  credential: ServiceCredential,
  dependency = new Dependency(sessionsDependency),
): SessionSource {
  const ask = async (sessionId: string, budgetMilliseconds: number) => {
    const response = await fetch(`${identityUrl}/internal/sessions/${encodeURIComponent(sessionId)}`, {
      headers: { ...credential.headers, [timeLeftHeader]: String(budgetMilliseconds) },
      signal: AbortSignal.timeout(budgetMilliseconds),
    });
    if (!response.ok) throw new BadAnswer(`identity answered ${response.status}`);
    return sessionStateSchema.parse(await response.json()).state;
  };
  return { stateOf: (sessionId) => dependency.call((milliseconds) => ask(sessionId, milliseconds)) };
}
