/** What the ledger records; it decides, boards, weeks and streaks follow. */
export type LedgerEvent = {
  type: 'MilesCredited';
  data: {
    entryId: string;
    kind: 'log';
    logId: string;
    userId: string;
    /** The team the miles were earned for (D2). */
    teamId: string;
    centimiles: number;
    /** The member's local date at the start of the movement (D10). */
    creditedOn: string;
    /** Monday of the organisation's week in which the movement started (D10). */
    weekStartsOn: string;
    creditedAt: string;
  };
};
