import type { Checkpoint } from '@caravan/contracts/http/journeys';

/** The stops before and after somebody, for the view that is close. */
export function legOf(checkpoints: readonly Checkpoint[], miles: number): Checkpoint[] {
  const next = checkpoints.findIndex(({ mileMark }) => mileMark > miles);
  const at = next === -1 ? checkpoints.length - 1 : next;
  return checkpoints.slice(Math.max(0, at - 1), at + 1);
}
