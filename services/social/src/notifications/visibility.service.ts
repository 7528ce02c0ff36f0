import type { Tx } from '@caravan/event-store/core/event-store';
import type { BatchContext } from '@caravan/messaging/consumer/consumer';
import { Inject, Injectable } from '@nestjs/common';
import type { AfterVisibility } from '../ports.ts';
import { AnnounceNotices } from './announce-notices.job.ts';
import { forgetReceiver, touchJoined, touchNoticesAbout, writeNotices } from './notices.store.ts';

type Whose = { readonly orgId: string; readonly userId: string };
type Joined = { readonly whose: Whose; readonly batch: BatchContext };

/** Who is told of anything, and what they may know of it, follows what others let be seen (D18). */
@Injectable()
export class NoticeVisibility implements AfterVisibility {
  constructor(@Inject(AnnounceNotices) private readonly announcer: AnnounceNotices) {}

  entryChanged({ orgId, entryId }: { orgId: string; entryId: string }, batch: BatchContext): void {
    batch.enqueueWrite(writeNotices, { is: 'touched', orgId, subject: entryId });
    batch.afterCommit(() => this.announcer.soon());
  }

  memberJoined(whose: Whose, batch: BatchContext): void {
    batch.enqueueWrite(this.tellOfJoined, { whose, batch });
  }

  async memberChanged({ orgId, userId }: { orgId: string; userId: string }, batch: BatchContext): Promise<void> {
    await touchNoticesAbout(batch.tx, { orgId, userId });
    batch.afterCommit(() => this.announcer.soon());
  }

  private readonly tellOfJoined = async (tx: Tx, joined: readonly Joined[]): Promise<void> => {
    const isAnyTouched = await touchJoined(
      tx,
      joined.map(({ whose }) => whose),
    );
    if (isAnyTouched) joined[0]?.batch.afterCommit(() => this.announcer.soon());
  };

  /** Notices that came after `at` stay, also when the event is delivered again. */
  memberLeft(
    { orgId, userId, at }: { orgId: string; userId: string | null; at: string },
    { tx }: BatchContext,
  ): Promise<void> {
    return forgetReceiver(tx, { orgId, userId, at });
  }
}
