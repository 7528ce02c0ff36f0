import type { ImportedWorkout, SkipReason } from '@caravan/contracts/http/fitness';
import type { Source } from './workout.ts';

/** An import, as far as it matters for whether it counts. */
export type Standing = Source & {
  readonly importId: string;
  readonly startedAt: Date;
  readonly durationMinutes: number;
  readonly why: SkipReason | null;
  /** Its member's word: it counts, or it does not; null: the rules decide (D25). */
  readonly override: boolean | null;
};

/** A log that its member deleted by hand, as it was. */
export type Removal = {
  readonly removedAt: Date;
  readonly startedAt: Date;
  readonly durationMinutes: number;
  /** Its member had said that it is another one than its like: that is not meant. */
  readonly isAlone: boolean;
};
export type Removed = Removal & Pick<Standing, 'importId' | 'provider'>;

export type Verdict = {
  readonly state: ImportedWorkout['state'];
  /** What counts in its place. */
  readonly sameAs: string | null;
};

const minute = 60_000;
/** Of the shorter one, moved at the same time. */
const leastOverlap = 0.5;
/** The shorter one of the longer one. */
const leastLikeness = 0.75;

/** How far apart two can begin and the one still decide about the other: a day for each platform between them. */
export const reachMilliseconds = 4 * 24 * 60 * minute;

type Moved = Pick<Standing, 'provider' | 'startedAt' | 'durationMinutes'>;

/** D25: recorded by two platforms at the same time, for a like duration. One platform tells of each once. */
function areSame(one: Moved, other: Moved): boolean {
  if (one.provider === other.provider) return false;
  const [shorter, longer] = [one, other].map(({ durationMinutes }) => durationMinutes).sort((a, b) => a - b);
  if (shorter === undefined || longer === undefined || shorter < leastLikeness * longer) return false;
  const begin = Math.max(one.startedAt.getTime(), other.startedAt.getTime());
  const end = Math.min(endOf(one), endOf(other));
  return (end - begin) / minute >= leastOverlap * shorter;
}

const endOf = ({ startedAt, durationMinutes }: Moved): number => startedAt.getTime() + durationMinutes * minute;

/**
 * What each of a member's imports counts as. Of the same ones the source counts that earns, then the one that others
 * may see, so that nobody loses by connecting a second platform; the order in which they came does not matter.
 */
export function verdictsOn(all: readonly Standing[], removals: readonly Removed[]): ReadonlyMap<string, Verdict> {
  const verdicts = new Map<string, Verdict>();
  const counting: Standing[] = [];
  for (const one of all.toSorted(byRank)) {
    const verdict = verdictOn(one, { counting, removals });
    verdicts.set(one.importId, verdict);
    // Who says that two are not the same says nothing about a third.
    if (one.override === null && isCounting(verdict)) counting.push(one);
  }
  return verdicts;
}

type Others = { readonly counting: readonly Standing[]; readonly removals: readonly Removed[] };

function verdictOn(one: Standing, { counting, removals }: Others): Verdict {
  if (one.why !== null) return { state: 'skipped', sameAs: null };
  if (removals.some((removal) => isMeantBy(removal, one))) return { state: 'removed', sameAs: null };
  const same = counting.find((other) => areSame(one, other));
  if (one.override === false || (one.override === null && same))
    return { state: 'duplicate', sameAs: same?.importId ?? null };
  return { state: one.isScored ? 'counted' : 'unscored', sameAs: null };
}

/** Whoever deletes a log deletes the workout, whichever platform tells of it; unless they said that it is another one. */
export const isMeantBy = (removal: Removed, one: Standing): boolean =>
  removal.importId === one.importId || (!removal.isAlone && one.override === null && areSame(removal, one));

export const isCounting = ({ state }: Verdict): boolean => state === 'counted' || state === 'unscored';

const rankOf = ({ isScored, audience, provider, startedAt, importId }: Standing): string =>
  [isScored ? 0 : 1, audience === 'organisation' ? 0 : 1, provider, startedAt.toISOString(), importId].join(' ');

const byRank = (one: Standing, other: Standing): number => (rankOf(one) < rankOf(other) ? -1 : 1);

/** The word to keep when a member says whether one counts: none where the rules say the same. */
export function overrideFor(
  all: readonly Standing[],
  removals: readonly Removed[],
  { importId, counts }: { readonly importId: string; readonly counts: boolean },
): boolean | null {
  const unsaid = all.map((one) => (one.importId === importId ? { ...one, override: null } : one));
  const verdict = verdictsOn(unsaid, removals).get(importId);
  return verdict && isCounting(verdict) === counts ? null : counts;
}
