import type { MilesKind } from '@caravan/contracts/http/scores';
import { localDateOf, weekStartOf } from '@caravan/contracts/local-days';
import type { Decider } from '@caravan/event-store/decider';
import { Rejected } from '@caravan/event-store/rejected';

/** What the ledger records; it decides, boards, weeks and streaks follow. */
export type LedgerEvent = {
  type: 'MilesCredited';
  data: {
    entryId: string;
    kind: MilesKind;
    /** Null for miles that come from no log. */
    logId: string | null;
    userId: string;
    /** The team the miles were earned for (D2). */
    teamId: string;
    /** Negative where miles were taken back. */
    centimiles: number;
    /** The member's local date at the start of the movement (D10). */
    creditedOn: string;
    /** Monday of the organisation's week in which the movement started (D10). */
    weekStartsOn: string;
    creditedAt: string;
    /** Since when the total that follows counts as reached (D12); absent: since `creditedAt`. */
    reachedAt?: string;
    /** Since when the week's miles count as reached, where that differs: miles that moved to another week. */
    weekReachedAt?: string;
    /** By how much the date's movements grow; absent: by one, as with every log. Miles from no log make no day active. */
    movements?: 1 | 0 | -1;
    /** Of a correction: which of the log's; an older one that comes late changes nothing. */
    revision?: number;
    /** What explains the entry (D9); absent in entries of logs from before explanations were kept. */
    basis?: EntryBasis;
  };
};

/** Numbers and names from the product's own lists only. */
export type EntryBasis = {
  /** Of a log: a product's own activity or 'custom'. */
  activity?: string;
  /** By how many minutes the entry changes what was moved. */
  minutes?: number;
  /** The log's minutes from now on; those it had when it is taken back. */
  durationMinutes?: number;
  /** Before a correction. */
  previousMinutes?: number;
  multiplier?: number;
  /** Before a correction. */
  previousMultiplier?: number;
  /** Of miles that come from a challenge. */
  challengeId?: string;
};

// Commands

type Moved = {
  logId: string;
  centimiles: number;
  /** A product's own activity or 'custom'. */
  activity: string;
  durationMinutes: number;
  multiplier: number;
  creditedOn: string;
  startedAt: string;
  /** The organisation's. */
  timeZone: string;
};

export type CreditMiles = Moved & { type: 'CreditMiles'; userId: string; teamId: string; loggedAt: string };

export type CorrectMiles = Moved & {
  type: 'CorrectMiles';
  revision: number;
  correctedAt: string;
  /** One for what goes out and one for what comes in, if it moves to another date or week. */
  entryIds: readonly [string, string];
};

export type TakeBackMiles = { type: 'TakeBackMiles'; logId: string; entryId: string; removedAt: string };

export type LedgerCommand = CreditMiles | CorrectMiles | TakeBackMiles;

// State: the ledger of one log. It stays a handful of entries long, however much its owner moves (ADR 0007).

export type Ledger = { is: 'absent' } | { is: 'removed' } | ({ is: 'credited' } & LogState);

type LogState = Pick<Entry, 'userId' | 'teamId' | 'centimiles' | 'creditedOn' | 'weekStartsOn'> & {
  revision: number;
  /** When the log was credited first. */
  creditedAt: string;
  durationMinutes: number;
  multiplier: number;
  activity: string;
};
type Entry = LedgerEvent['data'];

export const ledger: Decider<Ledger, LedgerCommand, LedgerEvent> = {
  category: 'ledger',
  initial: { is: 'absent' },

  decide(command, state) {
    if (command.type === 'CreditMiles') return state.is === 'absent' ? [credited(entryOf(command))] : [];
    if (state.is === 'removed') return [];
    if (state.is === 'absent')
      throw new Rejected('ledger/log-unknown', 'not-found', `Log ${command.logId} was never credited`);
    if (command.type === 'TakeBackMiles') return [credited(takenBack(command, state))];
    return command.revision > state.revision ? corrections(command, state).map(credited) : [];
  },

  evolve(state, { data }) {
    if (data.kind === 'removal') return { is: 'removed' };
    const known = state.is === 'credited' ? state : undefined;
    const { userId, teamId, centimiles, creditedOn, weekStartsOn, creditedAt, basis, revision = 1 } = data;
    // What goes out of a date comes in elsewhere by the next entry.
    const place = known && data.movements === -1 ? known : { creditedOn, weekStartsOn };
    return {
      ...{ is: 'credited', userId, teamId, revision, creditedAt: known?.creditedAt ?? creditedAt },
      ...{ creditedOn: place.creditedOn, weekStartsOn: place.weekStartsOn },
      centimiles: (known?.centimiles ?? 0) + centimiles,
      // The first logs explain nothing: ten hundredths of a mile for each minute.
      durationMinutes: basis?.durationMinutes ?? Math.round(centimiles / 10),
      multiplier: basis?.multiplier ?? 1,
      activity: basis?.activity ?? 'custom',
    };
  },
};

function entryOf(command: CreditMiles): Entry {
  const { logId, userId, teamId, centimiles, creditedOn, loggedAt } = command;
  const { activity, durationMinutes, multiplier } = command;
  return {
    // A log is credited once, so the entry needs no id of its own.
    ...{ entryId: logId, kind: 'log', logId, userId, teamId, centimiles, creditedOn },
    ...{ weekStartsOn: organisationWeekOf(command), creditedAt: loggedAt },
    basis: { activity, minutes: durationMinutes, durationMinutes, multiplier },
  };
}

/** The difference; what moves to another date or week goes out there with all it had, and comes in here. */
function corrections(command: CorrectMiles, before: LogState): Entry[] {
  const { logId, centimiles, activity, durationMinutes, multiplier, creditedOn, revision } = command;
  const { entryIds, correctedAt: creditedAt } = command;
  const { userId, teamId } = before;
  const weekStartsOn = organisationWeekOf(command);
  const difference = centimiles - before.centimiles;
  const isElsewhere = creditedOn !== before.creditedOn || weekStartsOn !== before.weekStartsOn;
  const minutes = durationMinutes - before.durationMinutes;
  if (!isElsewhere && difference === 0 && minutes === 0) return [];
  const previous = { previousMinutes: before.durationMinutes, previousMultiplier: before.multiplier };
  const basis = { activity, durationMinutes, multiplier, ...previous };
  const entry = {
    ...{ kind: 'correction' as const, logId, userId, teamId, creditedAt, revision },
    // A total that stays the same was reached when it was reached (D12).
    ...(difference === 0 && { reachedAt: before.creditedAt }),
    // The weeks' own sums change whenever miles move from one to the other.
    ...(difference === 0 && weekStartsOn !== before.weekStartsOn && { weekReachedAt: creditedAt }),
  };
  const here = { ...entry, creditedOn, weekStartsOn };
  if (!isElsewhere)
    return [{ ...here, entryId: entryIds[0], centimiles: difference, movements: 0, basis: { ...basis, minutes } }];
  const there = { ...entry, creditedOn: before.creditedOn, weekStartsOn: before.weekStartsOn };
  const out = { centimiles: -before.centimiles, basis: { ...basis, minutes: -before.durationMinutes } };
  return [
    { ...there, ...out, entryId: entryIds[0], movements: -1 },
    { ...here, entryId: entryIds[1], centimiles, movements: 1, basis: { ...basis, minutes: durationMinutes } },
  ];
}

function takenBack({ logId, entryId, removedAt }: TakeBackMiles, before: LogState): Entry {
  const { userId, teamId, centimiles, creditedOn, weekStartsOn, activity, durationMinutes, multiplier } = before;
  return {
    ...{ entryId, kind: 'removal', logId, userId, teamId, centimiles: -centimiles, creditedOn, weekStartsOn },
    ...{ creditedAt: removedAt, movements: -1 },
    basis: { activity, minutes: -durationMinutes, durationMinutes, multiplier },
  };
}

const credited = (data: Entry): LedgerEvent => ({ type: 'MilesCredited', data });

/** Monday (YYYY-MM-DD) of the week in which a movement started for its organisation; it starts at 00:00 there (D10). */
function organisationWeekOf({ startedAt, timeZone }: Moved): string {
  return weekStartOf(localDateOf(new Date(startedAt), timeZone));
}
