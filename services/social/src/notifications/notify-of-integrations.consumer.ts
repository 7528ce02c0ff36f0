import { type ImportSource, platformNames } from '@caravan/contracts/domain/movement/sources';
import {
  firstSyncCompleted,
  platformDisconnected,
  syncFailed,
  syncRecovered,
  workoutRetracted,
} from '@caravan/contracts/events/integrations.events';
import type { NotificationKind } from '@caravan/contracts/domain/notification-kinds';
import { type BatchContext, type Consumed, Consumes } from '@caravan/messaging/consumer/consumer';
import { Controller, Inject } from '@nestjs/common';
import { AnnounceNotices } from './announce-notices.job.ts';
import { type NoticeChange, writeNotices } from './notices.store.ts';

const source = { group: 'social.notify-of-integrations', from: 'integrations', isAwaited: false } as const;

/** What became of platforms that members have connected. */
@Controller()
export class NotifyOfIntegrationsConsumer {
  constructor(@Inject(AnnounceNotices) private readonly announcer: AnnounceNotices) {}

  @Consumes({ ...source, contract: firstSyncCompleted })
  tellMemberWhenFirstSyncCompleted(
    { orgId, id: item, data }: Consumed<typeof firstSyncCompleted>,
    batch: BatchContext,
  ): void {
    const { userId, source: subject, workouts, completedAt: at } = data;
    this.withdraw(batch, { orgId, userId, subject, kinds: ['sync-failed'] });
    if (workouts === 0) return;
    this.note(batch, {
      is: 'raised',
      orgId,
      to: { userId },
      kind: 'import-ready',
      subject,
      item,
      at,
      facts: { platform: platformNames[subject], workouts },
    });
  }

  /** On one day it is one thing, whoever says so. */
  @Consumes({ ...source, contract: syncFailed })
  tellMemberWhenSyncFailed({ orgId, data }: Consumed<typeof syncFailed>, batch: BatchContext): void {
    const { userId, source: subject, why, failedAt: at } = data;
    this.note(batch, {
      is: 'raised',
      orgId,
      to: { userId },
      kind: 'sync-failed',
      subject,
      item: at.slice(0, 10),
      at,
      facts: { platform: platformNames[subject], isToReconnect: why === 'reconnect' },
    });
  }

  @Consumes({ ...source, contract: syncRecovered })
  withdrawWhenSyncRecovered({ orgId, data }: Consumed<typeof syncRecovered>, batch: BatchContext): void {
    this.withdraw(batch, { orgId, userId: data.userId, subject: data.source, kinds: ['sync-failed'] });
  }

  @Consumes({ ...source, contract: platformDisconnected })
  tellMemberWhenPlatformDisconnected(
    { orgId, id, data }: Consumed<typeof platformDisconnected>,
    batch: BatchContext,
  ): void {
    const kinds: NotificationKind[] = data.areImportsRemoved ? ['sync-failed', 'import-ready'] : ['sync-failed'];
    this.withdraw(batch, { orgId, userId: data.userId, subject: data.source, kinds });
    const { userId, source: platform, why, areImportsRemoved, disconnectedAt: at } = data;
    // A member who disconnects here reads at once what became of the imports.
    if (why !== 'revoked' || !areImportsRemoved) return;
    const facts = { platform: platformNames[platform], isDisconnected: true };
    const subject = `${platform} disconnected`;
    this.note(batch, { is: 'raised', orgId, to: { userId }, kind: 'imports-gone', subject, item: id, facts, at });
  }

  @Consumes({ ...source, contract: workoutRetracted })
  tellMemberWhenWorkoutRetracted({ orgId, data }: Consumed<typeof workoutRetracted>, batch: BatchContext): void {
    const { userId, logId: item, goneAt, retractedAt: at } = data;
    if (!goneAt?.isScored) return;
    const { platform: subject } = goneAt;
    const facts = { platform: platformNames[subject] };
    this.note(batch, { is: 'raised', orgId, to: { userId }, kind: 'imports-gone', subject, item, facts, at });
  }

  private withdraw(
    batch: BatchContext,
    what: { orgId: string; userId: string; subject: ImportSource; kinds: readonly NotificationKind[] },
  ): void {
    this.note(batch, { is: 'withdrawn', ...what });
  }

  private note(batch: BatchContext, change: NoticeChange): void {
    batch.enqueueWrite(writeNotices, change);
    batch.afterCommit(() => this.announcer.soon());
  }
}
