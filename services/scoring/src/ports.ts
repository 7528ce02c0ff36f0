import type { PersonUnit } from '@caravan/event-store/core/event-store';
import type { BatchContext } from '@caravan/messaging/consumer/consumer';

// Rooms below tell those above: each symbol injects all who listen, in the order of app.module.ts.

export type LogNews = {
  readonly is: 'logged' | 'corrected' | 'removed';
  readonly log: { readonly logId: string; readonly bonusChallengeId?: string | undefined };
  /** False where neither miles nor days changed, as with another name for an activity. */
  readonly isEntered: boolean;
  /** Colleagues may not see what was entered or taken back (D21). */
  readonly isOwnerOnly: boolean;
  /** Null for a log that is no more. */
  readonly movement: { readonly activityType: string; readonly endedAt: Date; readonly loggedAt: Date } | null;
  readonly figures: {
    readonly miles: number;
    readonly streakDays: number;
    readonly entries: number;
  };
};

/** In the transaction of the credit, once its entries are written. */
export const AfterCredit = Symbol('AfterCredit');
export type AfterCredit = {
  afterCredit(news: LogNews, unit: PersonUnit, batch: BatchContext): Promise<void> | void;
};

export const AfterOrganisationNews = Symbol('AfterOrganisationNews');
export type AfterOrganisationNews = {
  afterFounded?(organisation: { readonly orgId: string; readonly at: Date }, batch: BatchContext): Promise<void> | void;
  afterErased?(member: { readonly orgId: string; readonly userId: string }, batch: BatchContext): Promise<void> | void;
  afterClosed?(orgId: string, batch: BatchContext): Promise<void> | void;
  afterFreezesSwitched?(
    switched: { readonly orgId: string; readonly areOn: boolean; readonly switchedAt: string },
    batch: BatchContext,
  ): Promise<void> | void;
};
