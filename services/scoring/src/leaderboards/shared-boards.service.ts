import type { BoardPeriod } from '@caravan/contracts/http/scores';
import { strangerId } from '@caravan/contracts/domain/unnamed';
import { tenantQuery } from '@caravan/event-store/postgres/connections';
import { PhotoAddresses } from '@caravan/service-kit/storage/photo-address';
import { Pool } from '@caravan/service-kit/storage/pool';
import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { profileIdSql, shownIdSql, shownNameSql, shownPhotoSql } from '../directory/index.ts';
import { directoryChangeSql, generationSql, teamStandingsSql } from './leaderboard-rows.query.ts';
import type { BoardStretch } from './leaderboard-entry.ts';
import { type Person, type SharedBoard, sharedBoardOf, type TeamStanding } from './leaderboard.ts';
import { freshnessColumns, weekFreshnessColumns } from './places.query.ts';
import type { Freshness } from './places.query.ts';

const mostKept = 500;
/** Whatever tells of a change may be lost with the process that made it. */
const keptMilliseconds = 1_000;

/** A board of one period as it stands in the running week. */
export type WhichPage = { readonly orgId: string; readonly period: BoardPeriod; readonly runningWeek: string };

type Ranking = { freshness: string; teamMiles: string; reached: string; otherMiles: string };
const rankings: Record<BoardPeriod, Ranking> = {
  all: {
    freshness: freshnessColumns,
    teamMiles: 'centimiles',
    reached: 'reached_at',
    otherMiles:
      'select centimiles from member_weeks w where w.org_id = $1 and w.week_starts_on = $3 and w.user_id = m.user_id',
  },
  week: {
    freshness: weekFreshnessColumns,
    teamMiles: 'week_centimiles',
    reached: 'week_reached_at',
    otherMiles: 'select centimiles from member_totals a where a.org_id = $1 and a.user_id = m.user_id',
  },
};

// Miles are looked up person by person: a plan made for an empty week would read all of it each time.
const peopleSql = ({ otherMiles }: Ranking) => `
  (select coalesce(json_agg(json_build_object('userId', m.user_id, 'shownId', ${shownIdSql}, 'profileId', ${profileIdSql},
      'name', ${shownNameSql}, 'photoUrl', ${shownPhotoSql}, 'teamName', t.name, 'teamEmoji', t.emoji,
      'otherCentimiles', (${otherMiles}))), '[]')
    from members m left join teams t on t.org_id = m.org_id and t.team_id = m.team_id
    where m.org_id = $1 and m.user_id = any($4::uuid[])) as people`;

const sharedSql = (ranking: Ranking) => `
  with ${teamStandingsSql}
  select ${generationSql} as generation, ${directoryChangeSql} as directory_change, ${peopleSql(ranking)},
    (select coalesce(json_agg(json_build_object('id', team_id, 'name', name, 'emoji', emoji, 'memberCount', member_count,
        'centimiles', centimiles, 'weekCentimiles', week_centimiles, 'rank', rank, 'place', place) order by place), '[]') from (
      select team_id, name, emoji, member_count, centimiles, week_centimiles,
        rank() over (order by ${ranking.teamMiles} desc) as rank,
        row_number() over (order by ${ranking.teamMiles} desc, ${ranking.reached}, formed_position) as place
      from standings where not is_retired or ${ranking.teamMiles} > 0
    ) r) as standings`;
const sharedSqls = { all: sharedSql(rankings.all), week: sharedSql(rankings.week) };

const besideSql = (ranking: Ranking) => `
  select ${ranking.freshness}, ${directoryChangeSql} as directory_change, ${peopleSql(ranking)},
    (select team_id from members where org_id = $1 and user_id = $2) as own_team_id`;
const besideSqls = { all: besideSql(rankings.all), week: besideSql(rankings.week) };

/** What rows stand at, whoever looks. */
type Stands = { readonly generation: string; readonly directoryChange: number };
type SharedRow = Stands & { people: Person[]; standings: TeamStanding[] };
export type Beside = Stands & Freshness & { ownTeamId: string | null; people: Person[] };

type KeptBoard = Stands & { readonly change: string | undefined; readonly board: SharedBoard };

/** What everybody is shown alike is composed once for each change, for pages that ask and for those that are told. */
@Injectable()
export class SharedBoards {
  private readonly kept = new LRUCache<string, KeptBoard>({ max: mostKept, ttl: keptMilliseconds });
  private readonly underWay = new Map<string, Promise<KeptBoard>>();

  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(PhotoAddresses) private readonly addresses: PhotoAddresses,
  ) {}

  knownOf(which: WhichPage): { readonly change: string; readonly board: SharedBoard } | undefined {
    const kept = this.kept.get(keyOf(which));
    return kept?.change === undefined ? undefined : { change: kept.change, board: kept.board };
  }

  /** As of a reading that found `top` after `change`, and of rows that were read since: never older than either. */
  async read(
    which: WhichPage,
    { change, top, at }: { change: string | undefined; top: BoardStretch; at: Date },
    stands: Stands,
  ): Promise<SharedBoard> {
    const key = keyOf(which);
    const isSame = (kept: KeptBoard | undefined): kept is KeptBoard =>
      kept !== undefined &&
      kept.change === change &&
      kept.generation === stands.generation &&
      kept.directoryChange === stands.directoryChange;
    if (change === undefined) return (await this.compose(which, { change, top, at })).board;
    const kept = this.kept.get(key);
    if (isSame(kept)) return kept.board;
    // Of those who find that it is not theirs one composes the next, and the others wait for that.
    for (let turn = 0; turn < 2 && this.underWay.has(key); turn += 1) {
      const others = await this.underWay.get(key)?.catch(() => undefined);
      if (isSame(others)) return others.board;
    }
    const composing = this.compose(which, { change, top, at });
    this.underWay.set(key, composing);
    try {
      const composed = await composing;
      this.kept.set(key, composed);
      return composed.board;
    } finally {
      if (this.underWay.get(key) === composing) this.underWay.delete(key);
    }
  }

  /** What stands beside it for one reader, and people as that reader sees them. */
  async beside(
    { orgId, period, runningWeek }: WhichPage,
    { userId, at, people }: { userId: string; at: Date; people: readonly string[] },
  ): Promise<Beside> {
    const row = await this.row<Beside>(orgId, besideSqls[period], [orgId, userId, runningWeek, people]);
    return { ...row, people: this.signed(row.people, { orgId, at }) };
  }

  private async compose(
    { orgId, period, runningWeek }: WhichPage,
    { change, top, at }: { change: string | undefined; top: BoardStretch; at: Date },
  ): Promise<KeptBoard> {
    const ids = top.entries.map(({ userId }) => userId);
    const { people, standings, ...stands } = await this.row<SharedRow>(orgId, sharedSqls[period], [
      orgId,
      strangerId,
      runningWeek,
      ids,
    ]);
    const board = sharedBoardOf({ period, top, people: this.signed(people, { orgId, at }), standings });
    return { ...stands, change, board };
  }

  private async row<Row extends object>(orgId: string, sql: string, values: readonly unknown[]): Promise<Row> {
    const { rows } = await tenantQuery<Row>(this.pool, orgId, sql, values);
    const [row] = rows;
    if (!row) throw new Error('A select without a table has one row');
    return row;
  }

  private signed(people: readonly Person[], reading: { readonly orgId: string; readonly at: Date }): Person[] {
    return people.map((person) => ({ ...person, photoUrl: this.addresses.face(person.photoUrl, reading) }));
  }
}

const keyOf = ({ orgId, period, runningWeek }: WhichPage): string => `${orgId} ${period} ${runningWeek}`;
