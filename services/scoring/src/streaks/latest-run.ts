import type { StreakRun } from '@caravan/contracts/streak';
import { addDays } from '@caravan/contracts/local-days';

/**
 * A member's latest run once something is credited on `day`, from the two latest runs before (latest first): days may
 * arrive in any order, and one may close the gap between the two (D11).
 */
export function latestRunAfter([latest, previous]: readonly StreakRun[], day: string): StreakRun {
  const alone = { startedOn: day, endedOn: day };
  if (!latest || day > addDays(latest.endedOn, 1)) return alone;
  if (day > latest.endedOn) return { startedOn: latest.startedOn, endedOn: day };
  if (day !== addDays(latest.startedOn, -1)) return latest;
  const isBridge = previous?.endedOn === addDays(day, -1);
  return { startedOn: isBridge ? previous.startedOn : day, endedOn: latest.endedOn };
}
