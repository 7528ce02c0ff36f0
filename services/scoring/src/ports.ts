import type { PersonUnit } from '@caravan/event-store/event-store';
import type { BatchContext } from '@caravan/messaging/consumer';

// What rooms below tell those above. Each symbol injects the list of all who listen; app.module.ts says who they are, and in
// which order they are told.

/** What became of a log, and where its member stands since. */
export type LogNews = {
  readonly is: 'logged' | 'corrected' | 'removed';
  readonly log: { readonly logId: string; readonly bonusChallengeId?: string | undefined };
  /** False where neither miles nor days changed: another name for an activity is seen and counted all the same. */
  readonly isEntered: boolean;
  /** Null for a log that is no more. */
  readonly movement: { readonly activityType: string; readonly endedAt: Date; readonly loggedAt: Date } | null;
  readonly figures: {
    readonly miles: number;
    /** Active days of the latest streak, on its own last day. */
    readonly streakDays: number;
    /** How many entries of the ledger make up the miles. */
    readonly entries: number;
  };
};

/** Follows every log that is credited, corrected or taken back: in its transaction, once its entries are written. */
export const AfterCredit = Symbol('AfterCredit');
export type AfterCredit = {
  /** The unit's key is the member. */
  afterCredit(news: LogNews, unit: PersonUnit, batch: BatchContext): Promise<void> | void;
};

/** Follows what becomes of organisations: in the transaction in which the directory keeps it. */
export const AfterOrganisationNews = Symbol('AfterOrganisationNews');
export type AfterOrganisationNews = {
  afterFounded?(
    organisation: { readonly orgId: string; readonly timeZone: string; readonly at: Date },
    batch: BatchContext,
  ): Promise<void> | void;
  /** Nobody is in it any more. */
  afterClosed?(orgId: string, batch: BatchContext): Promise<void> | void;
  /** Streaks are told by another rule from now on (D11). */
  afterFreezesSwitched?(
    switched: { readonly orgId: string; readonly areOn: boolean; readonly switchedAt: string },
    batch: BatchContext,
  ): Promise<void> | void;
};
