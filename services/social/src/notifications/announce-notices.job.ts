import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Tx } from '@caravan/event-store/core/event-store';
import { publishTogether } from '@caravan/event-store/core/publish-together';
import { outsideRequests } from '@caravan/event-store/postgres/reading';
import { HandlesJob } from '@caravan/service-kit/jobs/handles-job.decorator';
import { defineJob } from '@caravan/service-kit/jobs/job';
import { Live } from '@caravan/service-kit/live/live';
import { Pace } from '@caravan/service-kit/process/pace';
import { Pool } from '@caravan/service-kit/storage/pool';
import { type Sweep, Sweeps } from '@caravan/service-kit/jobs/sweeps';
import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import { textOf } from './notice.ts';
import { markPublished } from './notices.store.ts';
import { type UnpublishedNotice, noticesPerBatch, withUnpublishedNotices } from './notices.system.store.ts';
import { notificationDue, notificationsSettled } from './public-events.ts';

export const announceNotices = defineJob({
  name: 'social.announce-notices',
  data: z.object({}),
  attempts: 1,
  concurrency: 1,
  everySeconds: 10,
});

/** design/load.md: what all members are told is announced within a minute for 10,000 of them. */
const pace = { perSecond: 200, atOnce: 500 };

/** A post that everybody cheers is looked at five times a second, not with each cheer. */
const restMilliseconds = 200;

/** Tells other services and open pages how notices stand that have changed; in pieces, each with its messages or not at all. */
@Injectable()
export class AnnounceNotices {
  private readonly notices: Sweep;
  private readonly pace = new Pace(pace);
  private asked = 0;
  private heard = 0;
  private running: Promise<void> | undefined;

  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(Live) private readonly live: Live,
    @Inject(Sweeps) sweeps: Sweeps,
  ) {
    this.notices = sweeps.of('social.announce-notices');
  }

  /** Soon, after what has been committed. Never throws; what fails is done by the next sweep. */
  soon(): void {
    this.asked += 1;
    this.running ??= outsideRequests(() => this.run()).finally(() => {
      this.running = undefined;
      if (this.heard !== this.asked) this.soon();
    });
  }

  @HandlesJob(announceNotices)
  async sweep(): Promise<void> {
    this.soon();
    await this.running;
  }

  private async run(): Promise<void> {
    while (this.heard !== this.asked) {
      this.heard = this.asked;
      await this.notices.look(async () => {
        let announced = noticesPerBatch;
        while (announced === noticesPerBatch) {
          announced = await this.announceSome(new Date());
          await this.pace.turn(announced);
        }
      });
      if (this.heard !== this.asked) await pause(restMilliseconds, undefined, { ref: false });
    }
  }

  private async announceSome(at: Date): Promise<number> {
    const found = await withUnpublishedNotices(this.pool, (tx, unpublished) => tell(tx, unpublished, at));
    for (const [orgId, theirs] of Map.groupBy(found, (notice) => notice.orgId)) {
      const userIds = [...new Set(theirs.map(({ userId }) => userId))];
      this.live.publish(orgId, [], { persons: { userIds, kinds: ['notifications'] } });
    }
    return found.length;
  }
}

async function tell(tx: Tx, all: readonly UnpublishedNotice[], at: Date): Promise<void> {
  const news = all.map((notice) => ({ notice, how: howToTell(notice) }));
  await publishTogether(tx, [
    ...news.flatMap(({ notice, how }) => (how === 'due' ? [toReceiver(notice, notificationDue(notice), at)] : [])),
    ...withdrawals(
      news.flatMap(({ notice, how }) => (how === 'withdrawn' ? [notice] : [])),
      at,
    ),
  ]);
  await markPublished(
    tx,
    news.map(({ notice, how }) => ({
      orgId: notice.orgId,
      id: notice.id,
      count: publishedCountAfter(notice, how),
      text: how === 'due' ? digestOf(textOf(notice)) : notice.publishedText,
    })),
  );
}

function publishedCountAfter(notice: UnpublishedNotice, how: ReturnType<typeof howToTell>): number {
  if (how === 'due') return notice.count;
  return how === 'withdrawn' ? 0 : notice.publishedCount;
}

/** Once withdrawn, what comes back is told anew only when it has become more than ever. */
function howToTell(notice: UnpublishedNotice): 'due' | 'withdrawn' | null {
  const { isRead, isWanted, count, publishedCount, highestPublishedCount, publishedText } = notice;
  if (isRead) return null;
  if (count === 0) return publishedCount > 0 ? 'withdrawn' : null;
  if (!isWanted || (publishedCount === 0 && count <= highestPublishedCount)) return null;
  return count !== publishedCount || digestOf(textOf(notice)) !== publishedText ? 'due' : null;
}

/** Names are nobody's to keep here. */
const digestOf = (text: string) => createHash('sha256').update(text).digest('base64url');

function withdrawals(gone: readonly UnpublishedNotice[], at: Date) {
  return [...Map.groupBy(gone, ({ userId }) => userId).values()].flatMap((theirs) => {
    const ids = theirs.map(({ id }) => id);
    return theirs.slice(0, 1).map((one) => toReceiver(one, notificationsSettled(one.userId, ids, 'withdrawn', at), at));
  });
}

const toReceiver = <Fact extends object>({ orgId, userId }: UnpublishedNotice, fact: Fact, at: Date) => ({
  ...fact,
  orgId,
  key: userId,
  at,
});
