import type { Source } from '@caravan/contracts/domain/movement/sources';
import type { MilesKind } from '@caravan/contracts/domain/movement/miles';
import { organisationWeekOf, type ZoneHistory } from '@caravan/contracts/domain/time/organisation-zone';
import type { Decider } from '@caravan/event-store/core/decider';
import { Rejected } from '@caravan/kernel/rejected';

export type MilesCredited = { type: 'MilesCredited'; data: MilesEntry };

export type LedgerEvent =
  | MilesCredited
  | { type: 'MovementLeftUnscored'; data: UnscoredMovement }
  | { type: 'UnscoredMovementRemoved'; data: { logId: string; userId: string; removedAt: string } };

export type MilesEntry = {
  entryId: string;
  kind: MilesKind;
  logId: string | null;
  userId: string;
  teamId: string;
  centimiles: number;
  /** The member's local date at the start (D10). */
  creditedOn: string;
  /** Monday of the organisation's week at the start (D10). */
  weekStartsOn: string;
  creditedAt: string;
  /** Since when the total counts as reached (D12); absent: since `creditedAt`. */
  reachedAt?: string;
  weekReachedAt?: string;
  /** Growth of the date's movements; absent: one. Miles from no log make no day active. */
  movements?: 1 | 0 | -1;
  /** Of a correction; an older one that comes late changes nothing. */
  revision?: number;
  /** From which the miles are explained (D9). */
  basis: EntryBasis;
} & OwnerOnly;

/** Set where colleagues may not see what was earned: an import of Strava, or a bonus that rests on such imports (D21). */
type OwnerOnly = { isOwnerOnly?: true };

/** An import that its owner has not consented to be scored: no entry, no movement of a date (D21). */
type UnscoredMovement = {
  logId: string;
  userId: string;
  teamId: string;
  creditedOn: string;
  weekStartsOn: string;
  notedAt: string;
  activity: string;
  durationMinutes: number;
  revision: number;
} & OwnerOnly;

/** Numbers and names from the product's own lists only. */
export type EntryBasis = {
  activity?: string;
  minutes?: number;
  durationMinutes?: number;
  previousMinutes?: number;
  multiplier?: number;
  previousMultiplier?: number;
  challengeId?: string;
  notCounted?: WhyNotCounted;
};

/** The source by which the same workout counts, or the member's choice (D25). */
export type WhyNotCounted = Source | 'by-choice';

type Moved = {
  logId: string;
  /** 0: it is not scored. */
  centimiles: number;
  activity: string;
  durationMinutes: number;
  multiplier: number;
  creditedOn: string;
  startedAt: string;
  /** The organisation's. */
  zones: ZoneHistory;
  notCounted?: WhyNotCounted;
} & OwnerOnly;

export type CreditMiles = Moved & { type: 'CreditMiles'; userId: string; teamId: string; loggedAt: string };

export type CorrectMiles = Moved & {
  type: 'CorrectMiles';
  revision: number;
  correctedAt: string;
  entryIds: readonly [string, string];
};

export type TakeBackMiles = { type: 'TakeBackMiles'; logId: string; entryId: string; removedAt: string };

export type LedgerCommand = CreditMiles | CorrectMiles | TakeBackMiles;

// The ledger of one log: a handful of entries, however much its owner moves (ADR 0007).

/** A log that is not scored is there with no miles. */
export type Ledger = { is: 'absent' } | { is: 'removed' } | ({ is: 'credited' } & LogState);

type LogState = Pick<MilesEntry, 'userId' | 'teamId' | 'centimiles' | 'creditedOn' | 'weekStartsOn'> & {
  revision: number;
  creditedAt: string;
  durationMinutes: number;
  multiplier: number;
  activity: string;
} & OwnerOnly;

export const ledger: Decider<Ledger, LedgerCommand, LedgerEvent> = {
  category: 'ledger',
  initial: { is: 'absent' },

  decide(command, state) {
    if (command.type === 'CreditMiles') return state.is === 'absent' ? [first(command)] : [];
    if (state.is === 'removed') return [];
    if (state.is === 'absent')
      throw new Rejected('ledger/log-unknown', 'not-found', `Log ${command.logId} was never credited`);
    if (command.type === 'TakeBackMiles') return [takenBack(command, state)];
    return command.revision > state.revision ? decideCorrection(command, state) : [];
  },

  evolve(state, event) {
    if (event.type === 'UnscoredMovementRemoved') return { is: 'removed' };
    if (event.type === 'MovementLeftUnscored') return unscoredEntry(event.data);
    const { data } = event;
    if (data.kind === 'removal') return { is: 'removed' };
    const known = state.is === 'credited' ? state : undefined;
    const { userId, teamId, centimiles, creditedOn, weekStartsOn, creditedAt, basis, revision = 1 } = data;
    const place = known && data.movements === -1 ? known : { creditedOn, weekStartsOn };
    return {
      is: 'credited',
      userId,
      teamId,
      revision,
      creditedAt: known && data.kind !== 'log' ? known.creditedAt : creditedAt,
      creditedOn: place.creditedOn,
      weekStartsOn: place.weekStartsOn,
      centimiles: (known?.centimiles ?? 0) + centimiles,
      durationMinutes: basis.durationMinutes ?? 0,
      multiplier: basis.multiplier ?? 1,
      activity: basis.activity ?? 'custom',
      ...ownerOnly(data),
    };
  },
};

const ownerOnly = ({ isOwnerOnly }: OwnerOnly): OwnerOnly => (isOwnerOnly ? { isOwnerOnly } : {});

const unscoredEntry = ({ logId: _, notedAt: creditedAt, ...data }: UnscoredMovement): Ledger => ({
  is: 'credited',
  ...data,
  creditedAt,
  centimiles: 0,
  multiplier: 1,
});

function first(command: CreditMiles): LedgerEvent {
  if (command.centimiles > 0) return creditEvent(entryOf(command));
  const { logId, userId, teamId, loggedAt } = command;
  return leftUnscored(command, { logId, userId, teamId, notedAt: loggedAt, revision: 1 });
}

function leftUnscored(
  command: Moved,
  of: Pick<UnscoredMovement, 'logId' | 'userId' | 'teamId' | 'notedAt' | 'revision'>,
): LedgerEvent {
  const { creditedOn, activity, durationMinutes } = command;
  const weekStartsOn = weekOf(command);
  const data = { ...of, creditedOn, weekStartsOn, activity, durationMinutes, ...ownerOnly(command) };
  return { type: 'MovementLeftUnscored', data };
}

function entryOf(command: CreditMiles): MilesEntry {
  const { logId, userId, teamId, centimiles, creditedOn, loggedAt } = command;
  const { activity, durationMinutes, multiplier } = command;
  return {
    // A log is credited once, so the entry needs no id of its own.
    entryId: logId,
    kind: 'log',
    logId,
    userId,
    teamId,
    centimiles,
    creditedOn,
    weekStartsOn: weekOf(command),
    creditedAt: loggedAt,
    basis: { activity, minutes: durationMinutes, durationMinutes, multiplier },
    ...ownerOnly(command),
  };
}

/** Between scored and not scored a log comes in with all it has, or goes out with all it had (D21). */
function decideCorrection(command: CorrectMiles, before: LogState): LedgerEvent[] {
  const { logId, centimiles, activity, durationMinutes, multiplier, creditedOn, revision, correctedAt } = command;
  const { userId, teamId } = before;
  const entry = { logId, userId, teamId, entryId: command.entryIds[0], creditedAt: correctedAt, revision };
  if (before.centimiles > 0 && centimiles > 0) return corrections(command, before).map(creditEvent);
  if (centimiles > 0) {
    const basis = { activity, minutes: durationMinutes, durationMinutes, multiplier };
    const place = { creditedOn, weekStartsOn: weekOf(command) };
    return [creditEvent({ ...entry, ...place, kind: 'log', centimiles, basis, ...ownerOnly(command) })];
  }
  const left = leftUnscored(command, { logId, userId, teamId, notedAt: correctedAt, revision });
  if (before.centimiles === 0) return [left];
  const why = command.notCounted && { notCounted: command.notCounted };
  const basis = { activity, minutes: -before.durationMinutes, durationMinutes, multiplier: 0, ...why };
  const place = { creditedOn: before.creditedOn, weekStartsOn: before.weekStartsOn };
  const out = {
    ...entry,
    ...place,
    kind: 'correction' as const,
    centimiles: -before.centimiles,
    movements: -1 as const,
  };
  return [creditEvent({ ...out, basis, ...ownerOnly(before) }), left];
}

/** An entry that moves to another date, week or audience is subtracted there and added here. */
function corrections(command: CorrectMiles, before: LogState): MilesEntry[] {
  const { logId, centimiles, activity, durationMinutes, multiplier, creditedOn, revision } = command;
  const { entryIds, correctedAt: creditedAt } = command;
  const { userId, teamId } = before;
  const weekStartsOn = weekOf(command);
  const difference = centimiles - before.centimiles;
  const isElsewhere =
    creditedOn !== before.creditedOn ||
    weekStartsOn !== before.weekStartsOn ||
    command.isOwnerOnly !== before.isOwnerOnly;
  const minutes = durationMinutes - before.durationMinutes;
  if (!isElsewhere && difference === 0 && minutes === 0) return [];
  const previous = { previousMinutes: before.durationMinutes, previousMultiplier: before.multiplier };
  const basis = { activity, durationMinutes, multiplier, ...previous };
  const entry = {
    kind: 'correction' as const,
    logId,
    userId,
    teamId,
    creditedAt,
    revision,
    // A total that stays the same was reached when it was reached (D12).
    ...(difference === 0 && { reachedAt: before.creditedAt }),
    // The weeks' own sums change whenever miles move from one to the other.
    ...(difference === 0 && weekStartsOn !== before.weekStartsOn && { weekReachedAt: creditedAt }),
  };
  const here = { ...entry, creditedOn, weekStartsOn, ...ownerOnly(command) };
  if (!isElsewhere)
    return [{ ...here, entryId: entryIds[0], centimiles: difference, movements: 0, basis: { ...basis, minutes } }];
  const there = {
    ...entry,
    creditedOn: before.creditedOn,
    weekStartsOn: before.weekStartsOn,
    ...ownerOnly(before),
  };
  const out = { centimiles: -before.centimiles, basis: { ...basis, minutes: -before.durationMinutes } };
  return [
    { ...there, ...out, entryId: entryIds[0], movements: -1 },
    { ...here, entryId: entryIds[1], centimiles, movements: 1, basis: { ...basis, minutes: durationMinutes } },
  ];
}

function takenBack({ logId, entryId, removedAt }: TakeBackMiles, before: LogState): LedgerEvent {
  if (before.centimiles === 0)
    return { type: 'UnscoredMovementRemoved', data: { logId, userId: before.userId, removedAt } };
  const { userId, teamId, centimiles, creditedOn, weekStartsOn, activity, durationMinutes, multiplier } = before;
  return creditEvent({
    entryId,
    kind: 'removal',
    logId,
    userId,
    teamId,
    centimiles: -centimiles,
    creditedOn,
    weekStartsOn,
    creditedAt: removedAt,
    movements: -1,
    basis: { activity, minutes: -durationMinutes, durationMinutes, multiplier },
    ...ownerOnly(before),
  });
}

const creditEvent = (data: MilesEntry): MilesCredited => ({ type: 'MilesCredited', data });

function weekOf({ startedAt, zones }: Moved): string {
  return organisationWeekOf(zones, new Date(startedAt));
}
