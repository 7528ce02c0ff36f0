import type { Source } from './sources.ts';

/** A recording of a workout, as far as it matters for whether it counts beside the member's other recordings (D25). */
export type Recording = {
  readonly id: string;
  readonly source: Source;
  readonly startedAt: Date;
  readonly durationMinutes: number;
  /** 'owner': colleagues are never shown it (D21). */
  readonly audience: 'organisation' | 'owner';
  /** False: it earns nothing, because its owner has not consented (D21). */
  readonly isScored: boolean;
  /** Since when it could be credited. */
  readonly creditableAt: Date;
  /** The member's word: it counts, or it does not; null: the rule decides. */
  readonly override: boolean | null;
};

export type Decision = {
  readonly counts: boolean;
  /** The recording that counts in its place; null where it counts, or where only the member's word keeps it out. */
  readonly sameAs: string | null;
};

type Span = Pick<Recording, 'source' | 'startedAt' | 'durationMinutes'>;

const minuteMilliseconds = 60_000;
const leastOverlapOfShorter = 0.5;
const mostTimesTheShorter = 1.5;

const endOf = ({ startedAt, durationMinutes }: Span): number =>
  startedAt.getTime() + durationMinutes * minuteMilliseconds;

/** D25: two sources recorded the same time span, whatever they call the activity. One source records a workout once. */
export function areSameWorkout(one: Span, other: Span): boolean {
  if (one.source === other.source) return false;
  const shorter = Math.min(one.durationMinutes, other.durationMinutes);
  const longer = Math.max(one.durationMinutes, other.durationMinutes);
  if (longer > mostTimesTheShorter * shorter) return false;
  const begin = Math.max(one.startedAt.getTime(), other.startedAt.getTime());
  const end = Math.min(endOf(one), endOf(other));
  return end - begin >= leastOverlapOfShorter * shorter * minuteMilliseconds;
}

/**
 * Decides which of a member's recordings count: of the same workout one that earns, then one that colleagues may see, then
 * the one credited first. The order in which they became known does not matter.
 */
export function decideWhatCounts(all: readonly Recording[]): ReadonlyMap<string, Decision> {
  const decisions = new Map<string, Decision>();
  const counting: Recording[] = [];
  for (const one of all.toSorted(byPrecedence)) {
    const same = counting.find((other) => areSameWorkout(one, other));
    const counts = one.override ?? same === undefined;
    decisions.set(one.id, { counts, sameAs: counts || same === undefined ? null : same.id });
    // A recording that counts by its member's word is not compared with others.
    if (counts && one.override === null) counting.push(one);
  }
  return decisions;
}

const precedenceOf = ({ isScored, audience, creditableAt, source, startedAt, id }: Recording): string => {
  const ranks = [isScored ? 0 : 1, audience === 'organisation' ? 0 : 1];
  // Stryker disable next-line StringLiteral: instants are of one length, and no source's name begins another's.
  return [...ranks, creditableAt.toISOString(), source, startedAt.toISOString(), id].join(' ');
};

// Stryker disable next-line EqualityOperator: no two recordings have one id.
const byPrecedence = (one: Recording, other: Recording): number => (precedenceOf(one) < precedenceOf(other) ? -1 : 1);

/** The word to store when a member says whether a recording counts; null where the rule says the same. */
export function overrideFor(
  all: readonly Recording[],
  { id, counts }: { readonly id: string; readonly counts: boolean },
): boolean | null {
  const unsaid = all.map((one) => (one.id === id ? { ...one, override: null } : one));
  return decideWhatCounts(unsaid).get(id)?.counts === counts ? null : counts;
}

/** Recordings that begin further apart than this are never decided by each other: no span is longer than a day. */
export const nearMilliseconds = 24 * 60 * minuteMilliseconds;
/** Whether one recording counts may depend on a second, and that on a third; four such steps are followed. */
export const reachMilliseconds = 4 * nearMilliseconds;
