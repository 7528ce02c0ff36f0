import type { FitnessProvider } from '@caravan/contracts/http/fitness';
import type { Recording } from '@caravan/contracts/domain/movement/same-workout';
import { wordOn } from './counting.ts';
import { type Import, standingsOf } from './import.ts';
import { untold } from './telling.ts';

// Members' decisions about their imports; each answers the imports as they are then, to be settled.

/** Its member has deleted that log by hand. */
export function importsAfterRemoval(imports: readonly Import[], logId: string, removedAt: Date): readonly Import[] {
  return imports.map((one) => {
    const isNow = one.told.logId === logId;
    if (!isNow && !one.formerLogIds.includes(logId)) return one;
    return {
      ...one,
      // Others know that it is gone.
      told: isNow ? untold : one.told,
      formerLogIds: one.formerLogIds.filter((id) => id !== logId),
      removedAt,
    };
  });
}

type Word = { readonly importId: string; readonly counts: boolean };

/** The member's word on whether it counts (D25). It lets in again what was deleted by hand; then the rule decides. */
export function overridden(
  imports: readonly Import[],
  ownLogs: readonly Recording[],
  { importId, counts }: Word,
): readonly Import[] {
  const meant = imports.find((one) => one.importId === importId);
  if (!meant?.judged || (meant.removedAt !== null && !counts)) return imports;
  const override =
    meant.removedAt === null
      ? wordOn(standingsOf(imports), ownLogs, { id: importId, counts })
      : meant.override === true || null;
  return imports.map((one) =>
    one === meant
      ? // Logs that it was before matter no more once it counts again.
        { ...one, removedAt: null, override, formerLogIds: counts ? [] : one.formerLogIds }
      : one,
  );
}

/** Those of other platforms, when one is left with all that came from it. */
export const withoutThoseOf = (imports: readonly Import[], provider: FitnessProvider): readonly Import[] =>
  imports.filter((one) => one.provider !== provider);
