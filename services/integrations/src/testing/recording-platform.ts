import type { FitnessProvider } from '@caravan/contracts/http/fitness';
import { type Notice, type Provider, ProviderFailure, type Workout } from '../providers/index.ts';
import type { WorkoutPage } from '../providers/provider.ts';

type Athlete = { readonly workouts: Map<string, Workout>; isRevoked: boolean };
type Moment = 'before' | 'after';

/** A platform: what its members record there, what it tells and what it answers, by the interface of all of them. */
export class RecordingPlatform implements Provider {
  readonly audience: Provider['audience'];
  readonly isSetUp = true;
  readonly calls: string[] = [];
  pageSize = 3;
  /** Throws to be away, or to be where somebody dies. */
  interfere: (call: string, moment: Moment) => void | Promise<void> = () => undefined;
  private readonly athletes = new Map<string, Athlete>();
  private changes = 0;

  constructor(readonly name: FitnessProvider) {
    this.audience = name === 'strava' ? 'owner' : 'organisation';
  }

  athlete(providerUserId: string): Athlete {
    const known = this.athletes.get(providerUserId) ?? { workouts: new Map(), isRevoked: false };
    this.athletes.set(providerUserId, known);
    return known;
  }

  /** Records, changes or deletes one; answers what it tells of that. */
  change(providerUserId: string, externalId: string, one: Partial<Workout> | null): Notice {
    const { workouts } = this.athlete(providerUserId);
    const before = workouts.get(externalId);
    if (one === null) workouts.delete(externalId);
    else workouts.set(externalId, { ...workoutOf(externalId), ...before, ...one });
    this.changes += 1;
    const at = new Date(Math.floor(Date.now() / 1_000) * 1_000 + this.changes);
    return { kind: one === null ? 'deleted' : 'changed', providerUserId, externalId, from: null, to: null, at };
  }

  revokedBy(providerUserId: string): Notice {
    this.athlete(providerUserId).isRevoked = true;
    return { kind: 'revoked', providerUserId, at: new Date() };
  }

  list(token: string, { from, to, cursor = '0' }: { from: Date; to: Date; cursor?: string }): Promise<WorkoutPage> {
    return this.answer(`list ${from.toISOString()} ${cursor}`, token, ({ workouts }) => {
      const all = [...workouts.values()]
        .filter(({ startedAt }) => startedAt >= from && startedAt < to)
        .toSorted((a, b) => b.startedAt.getTime() - a.startedAt.getTime());
      const end = Number(cursor) + this.pageSize;
      const next = end < all.length ? { next: String(end) } : {};
      return { workouts: all.slice(Number(cursor), end), unreadable: 0, ...next };
    });
  }

  read(token: string, externalId: string): Promise<Workout | undefined> {
    return this.answer(`read ${externalId}`, token, ({ workouts }) => workouts.get(externalId));
  }

  private async answer<Answer>(call: string, token: string, work: (athlete: Athlete) => Answer): Promise<Answer> {
    this.calls.push(call);
    await this.interfere(call, 'before');
    const athlete = this.athlete(token);
    if (athlete.isRevoked) throw new ProviderFailure('reconnect', 'this token is not valid');
    const answer = work(athlete);
    await this.interfere(call, 'after');
    return answer;
  }

  verify({ body, secret }: { body: Buffer; secret?: string }): Promise<boolean> {
    const isReadable = body.length > 0 && !body.includes('forged');
    return Promise.resolve(isReadable && (this.name !== 'strava' || secret === stravaSecret));
  }

  notices(body: Buffer): readonly Notice[] {
    return deliveredIn(body);
  }

  authorizeUrl(): never {
    throw new Error('nobody connects here');
  }
  exchange(): never {
    throw new Error('nobody connects here');
  }
  refresh(): never {
    throw new Error('tokens do not end here');
  }
  revoke(): Promise<void> {
    return Promise.resolve();
  }
}

export const stravaSecret = 'of-the-path-of-strava-under-test-0';

export const deliveryOf = (...notices: readonly Notice[]): string => JSON.stringify(notices);

function deliveredIn(body: Buffer): readonly Notice[] {
  const all = JSON.parse(body.toString()) as readonly Notice[];
  const dateOf = (text: unknown) => (typeof text === 'string' ? new Date(text) : null);
  return all.map((one) =>
    one.kind === 'revoked'
      ? { ...one, at: new Date(one.at) }
      : { ...one, at: new Date(one.at), from: dateOf(one.from), to: dateOf(one.to) },
  );
}

const hour = 3_600_000;
export const hoursAgo = (hours: number) => new Date(Math.floor(Date.now() / 60_000) * 60_000 - hours * hour);

const workoutOf = (externalId: string): Workout => ({
  externalId,
  activityType: 'Running',
  startedAt: hoursAgo(5),
  durationMinutes: 30,
  meters: 5_000,
  heartRate: 140,
  calories: 300,
  changedAt: null,
  raw: { id: externalId },
});
