import { centimilesOf } from '@caravan/contracts/domain/movement/miles';
import type { LoggedMovement, Movement, MovementEvent, NotCounted } from './movement-events.ts';

/** Another recording of the same workout came, went or changed, or the member decided between them (D25). */
export type CountMovement = {
  readonly type: 'CountMovement';
  readonly userId: string;
  /** Null: it counts. */
  readonly notCounted: NotCounted | null;
};

type Live = Extract<Movement, { is: 'live' }>;

/** For logs of any age. A log that stops counting loses its bonus, and does not get it back when it counts again. */
export function decideRecount(command: CountMovement, state: Movement, at: Date): MovementEvent[] {
  if (state.is !== 'live') return [];
  const { notCounted: before = null, bonus: _, ...log } = state.log;
  if (isSameWord(before, command.notCounted)) return [];
  const { notCounted } = command;
  const now: LoggedMovement = {
    ...log,
    multiplier: notCounted ? 1 : log.multiplier,
    centimiles: centimilesNow(log, notCounted),
    ...(notCounted && { notCounted }),
  };
  return [{ type: 'MovementCorrected', data: correctionTo(now, state, at) }];
}

const centimilesNow = (
  { durationMinutes, multiplier, ...log }: LoggedMovement,
  notCounted: NotCounted | null,
): number => (notCounted !== null || log.import?.isScored === false ? 0 : centimilesOf(durationMinutes, multiplier));

const isSameWord = (one: NotCounted | null, other: NotCounted | null): boolean =>
  (one === null) === (other === null) && one?.sameAs?.logId === other?.sameAs?.logId;

/** The log as it is from now on, with what it was. */
export function correctionTo(now: LoggedMovement, { log, revision }: Live, at: Date) {
  const { durationMinutes, centimiles, loggedOn } = log;
  const previous = { durationMinutes, centimiles, loggedOn };
  return { ...now, revision: revision + 1, correctedAt: at.toISOString(), previous };
}
