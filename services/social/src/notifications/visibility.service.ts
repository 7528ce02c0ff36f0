import type { Tx } from '@caravan/event-store/core/event-store';
import type { BatchContext } from '@caravan/messaging/consumer/consumer';
import { Inject, Injectable } from '@nestjs/common';
import type { AfterVisibility } from '../ports.ts';
import { AnnounceNotices } from './announce-notices.job.ts';
import { touchJoined, writeNotices } from './notices.store.ts';

/** Notices about a member, and those that the posts of a member were the reason for. */
const touchOfMemberSql = `
  update notices n set is_untold = true
  where n.org_id = $1 and n.read_at is null and (
    n.notice_id in (select i.notice_id from notice_items i where i.org_id = $1 and i.actor_id = $2)
    or n.subject in (select p.log_id::text from posts p where p.org_id = $1 and p.user_id = $2))`;

const forgetReceiverSql = `
  delete from notices where org_id = $1 and ($2::uuid is null or user_id = $2) and raised_at <= $3`;

/** Of who is nobody any more; who comes back finds their choice. */
const forgetMutesSql = `
  delete from notice_mutes u where u.org_id = $1 and ($2::uuid is null or (u.user_id = $2 and exists (
    select from members m where m.org_id = $1 and m.user_id = $2 and m.is_erased)))`;

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
    await batch.tx.query(touchOfMemberSql, [orgId, userId]);
    batch.afterCommit(() => this.announcer.soon());
  }

  private readonly tellOfJoined = async (tx: Tx, joined: readonly Joined[]): Promise<void> => {
    const isAnyTouched = await touchJoined(
      tx,
      joined.map(({ whose }) => whose),
    );
    if (isAnyTouched) joined[0]?.batch.afterCommit(() => this.announcer.soon());
  };

  /** A history that is told again takes nothing that came since. */
  async memberLeft(
    { orgId, userId, at }: { orgId: string; userId: string | null; at: string },
    { tx }: BatchContext,
  ): Promise<void> {
    await tx.query(forgetReceiverSql, [orgId, userId, at]);
    await tx.query(forgetMutesSql, [orgId, userId]);
  }
}
