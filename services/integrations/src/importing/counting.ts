import type { ImportedWorkout, SkipReason } from '@caravan/contracts/http/fitness';
import {
  type Decision,
  decideWhatCounts,
  overrideFor,
  type Recording,
} from '@caravan/contracts/domain/movement/same-workout';

/** An import, as far as it matters for whether it counts. */
export type Standing = Recording & {
  readonly why: SkipReason | null;
  /** Its member has deleted its log by hand. */
  readonly isRemoved: boolean;
};

export type Verdict = {
  readonly state: ImportedWorkout['state'];
  /** The import or the log that counts in its place. */
  readonly sameAs: string | null;
};

/** Decides what each of a member's imports counts as beside the others and the member's own logs (D25). */
export function verdictsOn(imports: readonly Standing[], ownLogs: readonly Recording[]): ReadonlyMap<string, Verdict> {
  const decisions = decideWhatCounts([...imports.filter(isEligible), ...ownLogs]);
  return new Map(imports.map((one) => [one.id, verdictOn(one, decisions.get(one.id))]));
}

const isEligible = ({ why, isRemoved }: Standing): boolean => why === null && !isRemoved;

function verdictOn({ why, isScored }: Standing, decision: Decision | undefined): Verdict {
  if (!decision) return { state: why === null ? 'removed' : 'skipped', sameAs: null };
  if (!decision.counts) return { state: 'duplicate', sameAs: decision.sameAs };
  return { state: isScored ? 'counted' : 'unscored', sameAs: null };
}

export const isCounting = ({ state }: Verdict): boolean => state === 'counted' || state === 'unscored';

/** The word to store for an import; null where the rule says the same. */
export const wordOn = (
  imports: readonly Standing[],
  ownLogs: readonly Recording[],
  word: { readonly id: string; readonly counts: boolean },
): boolean | null => overrideFor([...imports.filter(isEligible), ...ownLogs], word);
