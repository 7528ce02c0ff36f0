import {
  areSameWorkout,
  decideWhatCounts,
  overrideFor,
  reachMilliseconds,
  type Recording,
} from '@caravan/contracts/domain/movement/same-workout';
import type { PersonUnit } from '@caravan/event-store/core/event-store';
import type { NotCounted } from './movement-events.ts';
import { recordingsAround, type StoredRecording } from './recordings.query.ts';

/** A log as it was and as it will be; null: it was not, or will not be, there. */
export type RecordingChange = { readonly before: Recording | null; readonly after: Recording | null };

type Recounted = { readonly logId: string; readonly notCounted: NotCounted | null };

export type Recount = {
  /** Whether a changed log counts; null: it does. */
  notCounted(logId: string): NotCounted | null;
  /** Other logs that count no longer. They are written first, so that nothing counts twice in between. */
  readonly ended: readonly Recounted[];
  /** Other logs that count from now on, or by another reason do not. */
  readonly begun: readonly Recounted[];
};

const presentIn = (changes: readonly RecordingChange[]): Recording[] =>
  changes.flatMap(({ before, after }) => [before, after].filter((one) => one !== null));

/** Decides anew, for what changes, which of a member's logs count (D25). Call under the member's lock, before or after the change. */
export async function recount(unit: PersonUnit, changes: readonly RecordingChange[]): Promise<Recount> {
  const changed = presentIn(changes);
  const near = othersIn(await recordingsAround(unit, changed), changed);
  const isAlone = !near.some((other) => changed.some((one) => areSameWorkout(one, other)));
  const others = isAlone ? [] : othersIn(await recordingsAround(unit, changed, 2 * reachMilliseconds), changed);
  const now = [...others, ...changes.flatMap(({ after }) => after ?? [])];
  const decisions = decideWhatCounts(now);
  const sources = new Map(now.map(({ id, source }) => [id, source]));
  const notCounted = (logId: string): NotCounted | null => {
    const decision = decisions.get(logId);
    if (!decision || decision.counts) return null;
    const source = decision.sameAs === null ? undefined : sources.get(decision.sameAs);
    return { sameAs: decision.sameAs !== null && source ? { logId: decision.sameAs, source } : null };
  };
  const recounted = others
    .map((one) => ({ before: one.notCounted, logId: one.id, notCounted: notCounted(one.id) }))
    .filter(({ before, notCounted: word }) => !isSameWord(before, word));
  const isEnding = ({ before, notCounted: word }: { before: NotCounted | null; notCounted: NotCounted | null }) =>
    before === null && word !== null;
  return {
    notCounted,
    ended: recounted.filter(isEnding),
    begun: recounted.filter((one) => !isEnding(one)),
  };
}

/** The word to store for a log; null where the rule says the same. */
export async function wordOn(unit: PersonUnit, one: Recording, counts: boolean): Promise<boolean | null> {
  const others = othersIn(await recordingsAround(unit, [one], 2 * reachMilliseconds), [one]);
  return overrideFor([...others, one], { id: one.id, counts });
}

function othersIn(all: readonly StoredRecording[], changed: readonly Recording[]): StoredRecording[] {
  const ids = new Set(changed.map(({ id }) => id));
  return all.filter(({ id }) => !ids.has(id));
}

const isSameWord = (one: NotCounted | null, other: NotCounted | null): boolean =>
  (one === null) === (other === null) && one?.sameAs?.logId === other?.sameAs?.logId;
