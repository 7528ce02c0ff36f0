import type { Recording } from '@caravan/contracts/domain/movement/same-workout';
import { expect } from 'vitest';
import { countsOf, type Import, mergeImport, settleImports } from '../importing/import.ts';
import { overridden, importsAfterRemoval, withoutThoseOf } from '../importing/own-word.ts';
import type { Telling } from '../importing/telling.ts';
import { type Observation, seenWorkout, type Source } from '../importing/workout.ts';
import type { Workout } from '../providers/provider.ts';

export const connectedAt = new Date('2026-11-01T08:00:00.000Z');
export const sources = {
  strava: { provider: 'strava', audience: 'owner', isScored: true },
  fitbit: { provider: 'fitbit', audience: 'organisation', isScored: true },
} as const satisfies Record<string, Source>;
export type From = Observation & { readonly provider: keyof typeof sources };

export const at = (minutes: number) => new Date(connectedAt.getTime() + minutes * 60_000);
const workout = (differing: Partial<Workout> = {}): Workout => ({
  externalId: '1',
  activityType: 'Running',
  startedAt: at(-60),
  durationMinutes: 30,
  meters: 5_000,
  heartRate: 140,
  calories: 300,
  changedAt: null,
  raw: null,
  ...differing,
});
export const saw = (
  provider: From['provider'],
  seenMinute: number,
  one: Partial<Workout> | 'gone',
  id = '1',
): From => ({
  provider,
  externalId: id,
  seenAt: at(seenMinute),
  workout: one === 'gone' ? null : workout({ externalId: id, ...one }),
});

/** What a listener makes of all that it is told: the log of each workout that counts. */
export class World {
  imports: readonly Import[] = [];
  readonly tellings: Telling[] = [];
  ownLogs: readonly Recording[] = [];
  private ids = 0;
  private readonly deleted = new Set<string>();
  private readonly newId = () => `id-${(this.ids += 1)}`;
  constructor(private readonly from: Readonly<Record<string, Source>> = sources) {}

  see(...news: readonly From[]): this {
    for (const one of news) {
      const source = this.from[one.provider] ?? sources.strava;
      const known = mergeImport(this.imports, [seenWorkout(one, connectedAt)], { source, newId: this.newId });
      this.settle(known);
    }
    return this;
  }

  settle(known: readonly Import[]) {
    const result = settleImports(known, this.newId, { ownLogs: this.ownLogs });
    const counts = countsOf(this.imports, result);
    this.imports = result.imports;
    this.tellings.push(...result.tellings);
    return counts;
  }

  says(externalId: string, counts: boolean): this {
    const found = this.imports.find((one) => one.externalId === externalId);
    this.settle(overridden(this.imports, this.ownLogs, { importId: found?.importId ?? '', counts }));
    return this;
  }

  /** The member's own logs, as they are from now on. */
  has(...ownLogs: readonly Recording[]): this {
    this.ownLogs = ownLogs;
    this.settle(this.imports);
    return this;
  }

  /** Its member deletes the log that it is now; heard of when that is called, and as often as it is. */
  deletes(externalId: string): () => this {
    const found = this.imports.find((one) => one.externalId === externalId);
    const { logId } = found?.told ?? {};
    if (!found?.judged || logId === undefined || logId === null) throw new Error(`${externalId} is no log`);
    this.deleted.add(logId);
    return () => {
      this.settle(importsAfterRemoval(this.imports, logId, connectedAt));
      return this;
    };
  }

  /** As the history tells of a sync that found them so. */
  countsSince(before: readonly Import[]) {
    return countsOf(before, { imports: this.imports, tellings: [] });
  }

  leaves(provider: From['provider']): this {
    this.settle(withoutThoseOf(this.imports, provider));
    return this;
  }

  /** Without ids of ours, which depend on the order. */
  get states() {
    const nameOf = (id: string | null) => this.imports.find(({ importId }) => importId === id)?.externalId;
    return this.imports
      .map(({ provider, externalId, state, sameAs, told }) => ({
        provider,
        externalId,
        state,
        sameAs: nameOf(sameAs),
        content: told.content,
      }))
      .toSorted((a, b) => `${a.provider} ${a.externalId}`.localeCompare(`${b.provider} ${b.externalId}`));
  }

  get logs() {
    const logs = new Map<string, string>();
    const ended = new Set<string>();
    for (const one of this.tellings) {
      // Others let nothing that was deleted by hand come back (D8).
      if (this.deleted.has((one.is === 'retracted' ? one.logId : one.told.logId) ?? '')) continue;
      if (one.is === 'retracted') {
        expect(logs.delete(one.logId)).toBe(true);
        ended.add(one.logId);
      } else {
        const { logId, revision } = one.told;
        expect(logId !== null && !ended.has(logId)).toBe(true);
        expect(logs.has(logId ?? '')).toBe(revision > 1);
        logs.set(logId ?? '', JSON.stringify(one.content));
      }
    }
    return [...logs.values()].sort();
  }

  get stateOf() {
    return Object.fromEntries(this.imports.map(({ externalId, state }) => [externalId, state]));
  }
}
