import { withTenant } from '@caravan/event-store/postgres/connections';
import { type Asked, type Composed, Live } from '@caravan/service-kit/live/live';
import { Pool } from '@caravan/service-kit/storage/pool';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { ballotsOf, optionsAsSeen, shownSql } from './ballots.query.ts';

type Reader = { readonly userId: string; readonly ballotId: string | null; readonly hasVoted: boolean };

/** Of one's own team, and sealed for who has not voted: what everybody may see there is nothing of. */
@Injectable()
export class LiveBallots implements OnModuleInit {
  constructor(
    @Inject(Live) private readonly live: Live,
    @Inject(Pool) private readonly pool: Pool,
  ) {}

  onModuleInit(): void {
    this.live.compose('ballot', (asked) => this.compose(asked));
  }

  private compose({ orgId, at, readers, isForAll, wanted }: Asked): Promise<Composed<'ballot'>> {
    const asking = isForAll ? readers : [...wanted];
    return withTenant(this.pool, orgId, async (tx) => {
      const { rows } = await tx.query<Reader>(
        `select m.user_id, b.ballot_id, v.user_id is not null as has_voted
         from members m left join lateral (
           select b.ballot_id from ballots b
           where b.org_id = m.org_id and b.team_id = m.team_id and ${shownSql('$3::timestamptz')}
           order by b.opened_at desc limit 1
         ) b on true
         left join ballot_votes v on (v.org_id, v.ballot_id, v.user_id) = (m.org_id, b.ballot_id, m.user_id)
         where m.org_id = $1 and m.user_id = any($2::uuid[])`,
        [orgId, asking, at],
      );
      const ballotIds = new Set(rows.flatMap(({ ballotId }) => ballotId ?? []));
      const ballots = new Map((await ballotsOf(tx, orgId, [...ballotIds])).map((row) => [row.id, row]));
      const some = [...Map.groupBy(rows, ({ ballotId, hasVoted }) => `${ballotId} ${hasVoted}`).values()].map(
        (group) => {
          const [{ ballotId, hasVoted } = { ballotId: null, hasVoted: false }] = group;
          const row = ballotId === null ? undefined : ballots.get(ballotId);
          return {
            to: group.map(({ userId }) => userId),
            data: { options: row ? optionsAsSeen(row, hasVoted, at) : null },
          };
        },
      );
      const known = new Set(rows.map(({ userId }) => userId));
      return { all: {}, some, ask: asking.filter((userId) => !known.has(userId)) };
    });
  }
}
