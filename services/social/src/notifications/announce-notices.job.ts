import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Tx } from '@caravan/event-store/event-store';
import { withSystem } from '@caravan/event-store/postgres';
import { publishTogether } from '@caravan/event-store/publish-together';
import { outsideRequests } from '@caravan/event-store/reading';
import { HandlesJob } from '@caravan/service-kit/jobs/handles-job.decorator';
import { defineJob } from '@caravan/service-kit/jobs/job';
import { Live } from '@caravan/service-kit/live/live';
import { Pace } from '@caravan/service-kit/process/pace';
import { Pool } from '@caravan/service-kit/storage/pool';
import { type Sweep, Sweeps } from '@caravan/service-kit/jobs/sweeps';
import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import { textOf } from './notice.ts';
import type { NoticeRow } from './notices.query.ts';
import { markTold } from './notices.store.ts';
import { notificationDue, notificationsSettled } from './public-events.ts';
import { noticeColumns, noticeTables } from './shown.ts';

export const announceNotices = defineJob({
  name: 'social.announce-notices',
  data: z.object({}),
  attempts: 1,
  concurrency: 1,
  everySeconds: 10,
});

/** So many at once: whoever reads their own meanwhile waits for no more. */
const atOnce = 100;

/** ADR 0069: what all members are told is announced within a minute for 10,000 of them. */
const pace = { perSecond: 200, atOnce: 500 };

/** A post that everybody cheers is looked at five times a second, not with each cheer. */
const restMilliseconds = 200;

type Untold = NoticeRow & {
  readonly orgId: string;
  readonly userId: string;
  readonly expiresAt: Date | null;
  readonly toldCount: number;
  readonly mostTold: number;
  readonly toldText: string | null;
  /** Whether the receiver wants to be told, and there is time. */
  readonly isWanted: boolean;
};

/** What one member is told never waits for what all are told. */
const untoldSql = `
  select n.org_id, n.notice_id from notices n where n.is_untold order by n.kind = 'recap-ready', n.raised_at limit ${atOnce}
  for update skip locked`;

/** Of `[orgIds, noticeIds]`: how these notices stand. */
export const standSql = `
  select ${noticeColumns}, n.org_id as "orgId", n.user_id as "userId", n.expires_at as "expiresAt",
    n.told_count as "toldCount", n.most_told as "mostTold", n.told_text as "toldText",
    coalesce(n.expires_at > now(), true) and not exists (
      select from notice_mutes u where u.org_id = n.org_id and u.user_id = n.user_id and n.kind = any(u.kinds))
    and not exists (
      select from members m where m.org_id = n.org_id and m.user_id = n.user_id and not m.is_active) as "isWanted"
  from unnest($1::uuid[], $2::uuid[]) as u (org_id, notice_id), ${noticeTables}
  where n.org_id = u.org_id and n.notice_id = u.notice_id`;

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
        let announced = atOnce;
        while (announced === atOnce) {
          announced = await this.announceSome(new Date());
          await this.pace.turn(announced);
        }
      });
      if (this.heard !== this.asked) await pause(restMilliseconds, undefined, { ref: false });
    }
  }

  private async announceSome(at: Date): Promise<number> {
    const found = await withSystem(this.pool, async (tx) => {
      const { rows } = await tx.query<{ org_id: string; notice_id: string }>(untoldSql);
      const ids = [rows.map(({ org_id }) => org_id), rows.map(({ notice_id }) => notice_id)];
      const { rows: stand } = await tx.query<Untold>(standSql, ids);
      await tell(tx, stand, at);
      return stand;
    });
    for (const [orgId, theirs] of Map.groupBy(found, (notice) => notice.orgId)) {
      const userIds = [...new Set(theirs.map(({ userId }) => userId))];
      this.live.publish(orgId, [], { persons: { userIds, kinds: ['notifications'] } });
    }
    return found.length;
  }
}

async function tell(tx: Tx, all: readonly Untold[], at: Date): Promise<void> {
  const news = all.map((notice) => ({ notice, how: howToTell(notice) }));
  await publishTogether(tx, [
    ...news.flatMap(({ notice, how }) => (how === 'due' ? [toReceiver(notice, notificationDue(notice), at)] : [])),
    ...withdrawals(
      news.flatMap(({ notice, how }) => (how === 'withdrawn' ? [notice] : [])),
      at,
    ),
  ]);
  await markTold(
    tx,
    news.map(({ notice, how }) => ({
      orgId: notice.orgId,
      id: notice.id,
      count: how === 'due' ? notice.count : how === 'withdrawn' ? 0 : notice.toldCount,
      text: how === 'due' ? digestOf(textOf(notice)) : notice.toldText,
    })),
  );
}

/** Once withdrawn, what comes back is told anew only when it has become more than ever. */
function howToTell(notice: Untold): 'due' | 'withdrawn' | null {
  const { isRead, isWanted, count, toldCount, mostTold, toldText } = notice;
  if (isRead) return null;
  if (count === 0) return toldCount > 0 ? 'withdrawn' : null;
  if (!isWanted || (toldCount === 0 && count <= mostTold)) return null;
  return count !== toldCount || digestOf(textOf(notice)) !== toldText ? 'due' : null;
}

/** Names are nobody's to keep here. */
const digestOf = (text: string) => createHash('sha256').update(text).digest('base64url');

function withdrawals(gone: readonly Untold[], at: Date) {
  return [...Map.groupBy(gone, ({ userId }) => userId).values()].flatMap((theirs) => {
    const ids = theirs.map(({ id }) => id);
    return theirs.slice(0, 1).map((one) => toReceiver(one, notificationsSettled(one.userId, ids, 'withdrawn', at), at));
  });
}

const toReceiver = <Fact extends object>({ orgId, userId }: Untold, fact: Fact, at: Date) => ({
  ...fact,
  orgId,
  key: userId,
  at,
});
