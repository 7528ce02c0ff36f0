import type { FitnessProvider } from '@caravan/contracts/http/fitness';
import { isMeantBy, overrideFor, type Removal } from './counting.ts';
import { type Import, removalsOf, standingOf, standingsOf } from './import.ts';
import { untold } from './telling.ts';

// What members say of their imports; each answers them as they are then, to be settled.

/** Its member has deleted that log by hand. */
export function removed(imports: readonly Import[], logId: string, log: Omit<Removal, 'isAlone'>): readonly Import[] {
  return imports.map((one) => {
    const isNow = one.told.logId === logId;
    if (!isNow && !one.formerLogIds.includes(logId)) return one;
    return {
      ...one,
      // Others know that it is gone.
      told: isNow ? untold : one.told,
      formerLogIds: one.formerLogIds.filter((id) => id !== logId),
      removal: { ...log, isAlone: one.override === true },
    };
  });
}

/** Whether it counts (D25). What was deleted by hand is let in again, and the rules decide which of the same ones counts. */
export function overridden(imports: readonly Import[], importId: string, counts: boolean): readonly Import[] {
  const removals = removalsOf(imports);
  const meant = imports.find((one) => one.importId === importId);
  const standing = meant && standingOf(meant);
  if (!standing) return imports;
  const ended = counts ? removals.filter((removal) => isMeantBy(removal, standing)) : [];
  const override =
    ended.length === 0
      ? overrideFor(standingsOf(imports), removals, { importId, counts })
      : meant.override === true || null;
  return imports.map((one) => {
    const removal = ended.some((other) => other.importId === one.importId) ? null : one.removal;
    if (one !== meant) return { ...one, removal };
    // What becomes of logs that it was before matters no more.
    return { ...one, removal, override, formerLogIds: counts ? [] : one.formerLogIds };
  });
}

/** Those of other platforms, when one is left with all that came from it: what was deleted there by hand stays out. */
export function withoutThoseOf(imports: readonly Import[], provider: FitnessProvider): readonly Import[] {
  const [leaving, rest] = [true, false].map((isLeaving) =>
    imports.filter((one) => (one.provider === provider) === isLeaving),
  );
  const removals = removalsOf(leaving ?? []);
  return (rest ?? []).map((one) => {
    const standing = standingOf(one);
    const removal = standing && one.removal === null && removals.find((other) => isMeantBy(other, standing));
    if (!removal) return one;
    const { startedAt, durationMinutes } = standing;
    return { ...one, removal: { removedAt: removal.removedAt, startedAt, durationMinutes, isAlone: false } };
  });
}
