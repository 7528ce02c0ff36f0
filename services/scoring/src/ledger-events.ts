import type { MilesKind } from '@caravan/contracts/http/scores';

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
