import type { Caller } from '@caravan/auth/claims';
import type { MarkReadRequest, Mutes, Unread } from '@caravan/contracts/http/notifications';
import { EventStore, type PersonUnit } from '@caravan/event-store/core/event-store';
import { Rejected } from '@caravan/kernel/rejected';
import { refuseStale } from '@caravan/service-kit/http/if-match.decorator';
import { Live } from '@caravan/service-kit/live/live';
import { Inject, Injectable } from '@nestjs/common';
import { mutesOf, unreadOf } from './notices.query.ts';
import { markRead, storeMutes } from './notices.store.ts';
import { notificationsSettled } from './public-events.ts';

const settledAtOnce = 500;

/** What members do in their own centre; their other devices see it at once. */
@Injectable()
export class NoticesService {
  constructor(
    @Inject(EventStore) private readonly store: EventStore,
    @Inject(Live) private readonly live: Live,
  ) {}

  /** Throws `Rejected` (404) when one of them is not the caller's: then none is marked. */
  markRead(caller: Caller, request: MarkReadRequest): Promise<Unread> {
    return this.change(caller, async (unit) => {
      if ('ids' in request) await refuseOthers(unit, [...new Set(request.ids)]);
      await read(unit, 'ids' in request ? { ids: request.ids } : {});
      return unreadOf(unit.tx, readerOf(unit));
    });
  }

  /** Nothing new of these kinds comes; what there is of them counts as read. */
  mute(caller: Caller, { kinds }: Mutes, seen: string | undefined): Promise<Mutes> {
    const muted = [...new Set(kinds)];
    return this.change(caller, async (unit) => {
      await unit.tx.query('select es.lock_keys(array[$1])', [`mutes ${caller.userId}`]);
      refuseStale(seen, { kinds: await mutesOf(unit.tx, readerOf(unit)) });
      await storeMutes(unit, muted);
      await read(unit, { kinds: muted });
      return { kinds: muted };
    });
  }

  private async change<Answer>(caller: Caller, work: (unit: PersonUnit) => Promise<Answer>): Promise<Answer> {
    const answer = await this.store.transaction(caller.meta, work);
    this.live.publish(caller.orgId, [], { persons: { userIds: [caller.userId], kinds: ['notifications'] } });
    return answer;
  }
}

const readerOf = ({ meta }: PersonUnit) => ({ orgId: meta.orgId, userId: meta.key.id });

async function refuseOthers({ tx, meta }: PersonUnit, ids: readonly string[]): Promise<void> {
  const { rowCount } = await tx.query(
    'select from notices where org_id = $1 and user_id = $2 and notice_id = any($3::uuid[])',
    [meta.orgId, meta.key.id, ids],
  );
  if (rowCount !== ids.length)
    throw new Rejected('notifications/not-found', 'not-found', 'There is no such notification');
}

async function read(unit: PersonUnit, meant: Parameters<typeof markRead>[1]): Promise<void> {
  const { key, at } = unit.meta;
  const readIds = await markRead(unit, meant);
  for (let from = 0; from < readIds.length; from += settledAtOnce) {
    const noticeIds = readIds.slice(from, from + settledAtOnce);
    await unit.publish(notificationsSettled(key.id, noticeIds, 'read', at));
  }
}
