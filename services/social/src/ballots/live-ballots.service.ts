import { withTenant } from '@caravan/event-store/postgres/connections';
import { type Asked, type Composed, Live } from '@caravan/service-kit/live/live';
import { Pool } from '@caravan/service-kit/storage/pool';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { ballotsOf, optionsAsSeen } from './ballots.query.ts';
import { liveBallotReaders } from './live-ballots.query.ts';

/** A ballot concerns one team and is hidden until one has voted, so no part of it can be sent to all pages alike. */
@Injectable()
export class LiveBallots implements OnModuleInit {
  constructor(
    @Inject(Live) private readonly live: Live,
    @Inject(Pool) private readonly pool: Pool,
  ) {}

  onModuleInit(): void {
    this.live.compose('ballot', (asked) => this.compose(asked));
  }

  private compose({ orgId, at, readers: all, isForAll, wanted }: Asked): Promise<Composed<'ballot'>> {
    const asking = isForAll ? all : [...wanted];
    return withTenant(this.pool, orgId, async (tx) => {
      const readers = await liveBallotReaders(tx, { orgId, at }, asking);
      const ballotIds = new Set(readers.flatMap(({ ballotId }) => ballotId ?? []));
      const ballots = new Map((await ballotsOf(tx, orgId, [...ballotIds])).map((row) => [row.id, row]));
      const some = [...Map.groupBy(readers, ({ ballotId, hasVoted }) => `${ballotId} ${hasVoted}`).values()].map(
        (group) => {
          const [{ ballotId, hasVoted } = { ballotId: null, hasVoted: false }] = group;
          const row = ballotId === null ? undefined : ballots.get(ballotId);
          return {
            to: group.map(({ userId }) => userId),
            data: { options: row ? optionsAsSeen(row, hasVoted, at) : null },
          };
        },
      );
      const known = new Set(readers.map(({ userId }) => userId));
      return { all: {}, some, ask: asking.filter((userId) => !known.has(userId)) };
    });
  }
}
