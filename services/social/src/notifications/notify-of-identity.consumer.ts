import {
  exportReady,
  inviteUsed,
  memberFollowed,
  memberMoved,
  memberUnfollowed,
  teamNamedByBallot,
} from '@caravan/contracts/events/identity.events';
import { type BatchContext, type Consumed, Consumes } from '@caravan/messaging/consumer/consumer';
import { Controller, Inject } from '@nestjs/common';
import { AnnounceNotices } from './announce-notices.job.ts';
import { type NoticeChange, writeNotices } from './notices.store.ts';

const source = { group: 'social.notify-of-identity', from: 'identity' } as const;

/** Where members belong, and who has come to them. */
@Controller()
export class NotifyOfIdentityConsumer {
  constructor(@Inject(AnnounceNotices) private readonly announcer: AnnounceNotices) {}

  @Consumes({ ...source, contract: memberMoved })
  tellMemberWhenMemberMoved({ orgId, id, data, actorId }: Consumed<typeof memberMoved>, batch: BatchContext): void {
    const { userId, teamId, movedAt } = data;
    if (actorId === userId) return;
    this.note(batch, {
      is: 'raised',
      orgId,
      to: { userId },
      kind: 'team-changed',
      subject: teamId,
      item: id,
      at: movedAt,
    });
  }

  /** Identity decides which of the names the team gets (D20), so the notice waits for that. */
  @Consumes({ ...source, contract: teamNamedByBallot })
  tellTeamWhenTeamNamedByBallot(
    { orgId, data, occurredAt: at }: Consumed<typeof teamNamedByBallot>,
    batch: BatchContext,
  ): void {
    const { teamId, ballotId: subject, place, name: title = '' } = data;
    const facts = { title, isKept: place === null };
    this.note(batch, {
      is: 'raised',
      orgId,
      to: { teamId },
      kind: 'ballot-decided',
      subject,
      item: 'decided',
      facts,
      at,
    });
  }

  @Consumes({ ...source, contract: memberFollowed })
  tellMemberWhenMemberFollowed({ orgId, data }: Consumed<typeof memberFollowed>, batch: BatchContext): void {
    const { followerId: actorId, followedId: userId, at } = data;
    this.note(batch, {
      is: 'raised',
      orgId,
      to: { userId },
      kind: 'follower',
      subject: 'followers',
      item: actorId,
      actorId,
      at,
    });
  }

  @Consumes({ ...source, contract: memberUnfollowed })
  withdrawWhenMemberUnfollowed({ orgId, data }: Consumed<typeof memberUnfollowed>, batch: BatchContext): void {
    const { followerId: item, followedId: userId } = data;
    this.note(batch, { is: 'withdrawn', orgId, kinds: ['follower'], subject: 'followers', userId, item });
  }

  @Consumes({ ...source, contract: inviteUsed })
  tellAdminsWhenInviteUsed({ orgId, data }: Consumed<typeof inviteUsed>, batch: BatchContext): void {
    const { userId: actorId, invitedBy, usedAt: at } = data;
    const raised = {
      is: 'raised',
      orgId,
      kind: 'invite-used',
      subject: 'invites',
      item: actorId,
      actorId,
      at,
    } as const;
    this.note(batch, { ...raised, to: 'admins' });
    // Among the admins, unless nobody has heard of them yet.
    if (invitedBy !== null) this.note(batch, { ...raised, to: { userId: invitedBy } });
  }

  @Consumes({ ...source, contract: exportReady })
  tellMemberWhenExportReady({ orgId, id, data }: Consumed<typeof exportReady>, batch: BatchContext): void {
    const { userId, at } = data;
    this.note(batch, {
      is: 'raised',
      orgId,
      to: { userId },
      kind: 'export-ready',
      subject: 'export',
      item: id,
      at,
      expiresAt: new Date(Date.parse(at) + 86_400_000).toISOString(),
    });
  }

  private note(batch: BatchContext, change: NoticeChange): void {
    batch.enqueueWrite(writeNotices, change);
    batch.afterCommit(() => this.announcer.soon());
  }
}
