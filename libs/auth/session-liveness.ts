import { Rejected } from '@caravan/event-store/rejected';
import { BadAnswer, Dependency } from '@caravan/service-kit/dependency';
import { type ServiceCredential, timeLeftHeader } from '@caravan/service-kit/service-credential';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';

export const sessionStateSchema = z.object({ state: z.enum(['live', 'ended']) });
export type SessionState = z.infer<typeof sessionStateSchema>['state'];

export type SessionCache = {
  read(sessionId: string): Promise<SessionState | undefined>;
  onEnded(listener: (sessionId: string) => void): Promise<void>;
  /** False while announcements of ended sessions may be missed. */
  isListening(): boolean;
};

export type SessionSource = { stateOf(sessionId: string): Promise<SessionState> };

const cachedSessions = 20_000;
const liveMilliseconds = 1_000;
const endedMilliseconds = 3_600_000;

/** From memory for at most one second, else from Redis, else from identity; unavailable when none answers. */
export class SessionLiveness {
  private readonly states = new LRUCache<string, SessionState>({ max: cachedSessions });

  constructor(
    private readonly cache: SessionCache,
    private readonly source: SessionSource,
  ) {}

  listen(): Promise<void> {
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
    const state = (await this.cache.read(sessionId)) ?? (await this.ask(sessionId));
    // It may have ended while its state was on the way.
    if (this.states.get(sessionId) === 'ended') return 'ended';
    if (state === 'ended') this.states.set(sessionId, state, { ttl: endedMilliseconds });
    else this.states.set(sessionId, state, { ttl: liveMilliseconds });
    return state;
  }

  private async ask(sessionId: string): Promise<SessionState> {
    try {
      return await this.source.stateOf(sessionId);
    } catch {
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
