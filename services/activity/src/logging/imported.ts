import { importSourceSchema } from '@caravan/contracts/events/fields';
import type { ImportSource, Source } from '@caravan/contracts/domain/movement/sources';
import { localDateOf } from '@caravan/contracts/domain/time/local-days';
import { importedStartOf } from '@caravan/contracts/domain/movement/movement-end';
import { centimilesOf } from '@caravan/contracts/domain/movement/miles';
import { Rejected } from '@caravan/kernel/rejected';
import type {
  ActivityName,
  LoggedMovement,
  Movement,
  MovementEvent,
  NotCounted,
  RemovedMovement,
} from './movement-events.ts';

// What a platform measured. Its rules are not those of a log by hand: it is as long and as old as the platform says.

/** A later revision replaces it whole; of two the higher one stands, whichever comes first. */
export type ImportMovement = {
  readonly type: 'ImportMovement';
  readonly logId: string;
  readonly userId: string;
  readonly teamId: string;
  readonly timeZone: string;
  readonly revision: number;
  readonly source: ImportSource;
  readonly activity: ActivityName;
  readonly durationMinutes: number;
  readonly startedAt: Date;
  readonly coveredMeters: number | null;
  readonly audience: 'organisation' | 'owner';
  readonly isScored: boolean;
  readonly importedAt: Date;
  readonly creditableAt: Date;
  /** Its owner has said that it counts beside other recordings of the same time (D25). */
  readonly countsBeside: boolean;
  readonly notCounted: NotCounted | null;
};

/** However old it is. */
export type RetractMovement = { readonly type: 'RetractMovement'; readonly logId: string; readonly userId: string };

type Live = Extract<Movement, { is: 'live' }>;

export function decideImport(command: ImportMovement, state: Movement, at: Date): MovementEvent[] {
  if (state.is === 'removed') return [];
  if (state.is === 'absent') return [{ type: 'MovementLogged', data: asLogged(command) }];
  if (command.revision <= revisionOf(state)) return [];
  return [{ type: 'MovementCorrected', data: asCorrected(command, state, at) }];
}

/** One that was never heard of must not come later: a message that was put aside can be overtaken. */
export function decideRetraction(command: RetractMovement, state: Movement, at: Date): MovementEvent[] {
  const { logId, userId } = command;
  switch (state.is) {
    case 'absent':
      return [{ type: 'MovementForestalled', data: { logId, userId, forestalledAt: at.toISOString() } }];
    case 'live':
      return [{ type: 'MovementRemoved', data: removedOf(state.log, at) }];
    case 'removed':
      return [];
  }
}

/** As answers tell it (3.10). */
export function originOf(source: Source) {
  const importSource = importSourceSchema.safeParse(source).data ?? null;
  return { source, isImported: importSource !== null, importSource };
}

/** What its platform tells is corrected there: the next revision would undo it here. Throws `Rejected` (conflict). */
export function refuseImported(log: LoggedMovement): void {
  if (!log.import) return;
  const message = 'This workout was imported. Correct it where it was recorded, or remove it here.';
  throw new Rejected('movement/imported', 'conflict', message);
}

export function removedOf(log: LoggedMovement, at: Date): RemovedMovement {
  const { logId, userId, teamId, durationMinutes, centimiles, startedAt, loggedOn } = log;
  const figures = { logId, userId, teamId, durationMinutes, centimiles, startedAt, loggedOn };
  return { ...figures, removedAt: at.toISOString() };
}

const revisionOf = ({ log }: Live): number => log.import?.revision ?? Number.MAX_SAFE_INTEGER;

function asLogged(command: ImportMovement): LoggedMovement {
  const { logId, userId, teamId, timeZone, importedAt } = command;
  return {
    logId,
    userId,
    teamId,
    timeZone,
    loggedAt: importedAt.toISOString(),
    source: command.source,
    ...measureOf(command, { timeZone, loggedAt: importedAt }),
  };
}

/** Team, zone and source are those of the first revision (D2, D10). */
function asCorrected(command: ImportMovement, { log, revision }: Live, at: Date) {
  const { logId, userId, teamId, timeZone, loggedAt, source, durationMinutes, centimiles, loggedOn } = log;
  return {
    logId,
    userId,
    teamId,
    timeZone,
    loggedAt,
    source,
    ...measureOf(command, { timeZone, loggedAt: new Date(loggedAt) }),
    revision: revision + 1,
    correctedAt: at.toISOString(),
    previous: { durationMinutes, centimiles, loggedOn },
  };
}

/** No log names a bonus challenge by itself: an import earns the plain miles, or none (D15, D21, D25). */
function measureOf(command: ImportMovement, { timeZone, loggedAt }: { timeZone: string; loggedAt: Date }) {
  const { activity, durationMinutes, coveredMeters, revision, audience, isScored, notCounted } = command;
  const startedAt = importedStartOf(command.startedAt, loggedAt);
  const earns = isScored && notCounted === null;
  return {
    activity,
    durationMinutes,
    multiplier: 1,
    centimiles: earns ? centimilesOf(durationMinutes, 1) : 0,
    startedAt: startedAt.toISOString(),
    loggedOn: localDateOf(startedAt, timeZone),
    // What only its owner may see is not kept in a log that never forgets.
    coveredCentimiles: coveredMeters === null || audience === 'owner' ? null : centimilesIn(coveredMeters),
    import: { revision, audience, isScored, ...creditableSince(command.creditableAt, loggedAt) },
    ...(notCounted && { notCounted }),
    ...(command.countsBeside && { override: true }),
  };
}

const creditableSince = (at: Date, loggedAt: Date) =>
  at.getTime() === loggedAt.getTime() ? {} : { creditableAt: at.toISOString() };

const metersPerMile = 1609.344;
const centimilesIn = (meters: number): number => Math.round((meters / metersPerMile) * 100);
