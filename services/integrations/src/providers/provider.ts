import type { FitnessProvider } from '@caravan/contracts/http/fitness';

export type Tokens = {
  accessToken: string;
  refreshToken: string;
  expiresAt: Date;
  /** What its owner allows, in the platform's own words. */
  scopes: readonly string[];
};

export type Workout = {
  externalId: string;
  /** One of our activities, else the platform's own name. */
  activityType: string;
  startedAt: Date;
  /** Whole minutes of moving, rounded down; may be 0. */
  durationMinutes: number;
  meters: number | null;
  /** Beats a minute, on average. */
  heartRate: number | null;
  /** Kilocalories. */
  calories: number | null;
  /** When it last changed there, where the platform tells. */
  changedAt: Date | null;
  /** What may be kept for six days: never places, routes or titles (D21). */
  raw: unknown;
};

/** `externalId` null: something between `from` and `to`. */
type WorkoutNotice = {
  kind: 'changed' | 'deleted';
  providerUserId: string;
  externalId: string | null;
  from: Date | null;
  to: Date | null;
  at: Date;
};
type RevokedNotice = { kind: 'revoked'; providerUserId: string; at: Date };
export type Notice = WorkoutNotice | RevokedNotice;

export type WebhookRequest = {
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The bytes as they came: signatures are over them. */
  body: Buffer;
  /** What the path ended with, where the platform signs nothing. */
  secret?: string;
};

/** Whom a call is for: a fifth of an app-wide quota is kept for `notice`. */
export type Purpose = 'notice' | 'person' | 'background';

export type WorkoutPage = { workouts: readonly Workout[]; unreadable: number; next?: string };

/** A fitness platform. What fails fails with `ProviderFailure` and nothing else. */
export interface Provider {
  readonly name: FitnessProvider;
  /** 'owner': nobody else may see what comes from here (D21). */
  readonly audience: 'owner' | 'organisation';
  /** False: the administrator has registered no app; only `name` and `audience` may be asked then. */
  readonly isSetUp: boolean;
  authorizeUrl(asked: { state: string; challenge: string; redirectUri: string }): string;
  /** `scope`: what the browser brought back; fails with 'scope' where what we need was unticked. */
  exchange(asked: {
    code: string;
    verifier: string;
    redirectUri: string;
    scope?: string;
  }): Promise<{ tokens: Tokens; providerUserId: string }>;
  refresh(refreshToken: string): Promise<Tokens>;
  /** Tokens that the platform knows no longer are revoked. */
  revoke(tokens: Pick<Tokens, 'accessToken' | 'refreshToken'>): Promise<void>;
  /** Workouts that began at or after `from` and before `to`, a page of them. */
  list(accessToken: string, asked: { from: Date; to: Date; cursor?: string; purpose?: Purpose }): Promise<WorkoutPage>;
  /** Undefined: it is gone, or no longer for us to see. */
  read(accessToken: string, externalId: string, purpose?: Purpose): Promise<Workout | undefined>;
  verify(request: WebhookRequest): Promise<boolean>;
  /** What a verified delivery says; what is none of our business is left out. */
  notices(body: Buffer): readonly Notice[];
}

export type FailureReason =
  /** No answer in time, a server's error, or the breaker is open: later. */
  | 'unreachable'
  /** The quota is used up: after `retryAfterSeconds`. */
  | 'busy'
  /** The tokens are taken no longer, or the platform has moved (410): its owner must connect anew. */
  | 'reconnect'
  /** It answered what it should not: too much, not JSON, another shape. */
  | 'unreadable'
  /** What was asked is refused; asking again is in vain. */
  | 'refused'
  /** At connecting: what we need was unticked. */
  | 'scope';

export class ProviderFailure extends Error {
  readonly why: FailureReason;
  readonly retryAfterSeconds: number | undefined;

  constructor(why: FailureReason, message: string, retryAfterSeconds?: number) {
    super(message);
    this.name = 'ProviderFailure';
    this.why = why;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}
