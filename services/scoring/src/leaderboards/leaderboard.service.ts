import type { Caller } from '@caravan/auth/claims';
import type { BoardPeriod } from '@caravan/contracts/http/scores';
import { strangerId } from '@caravan/contracts/domain/unnamed';
import { Pool } from '@caravan/service-kit/storage/pool';
import { Inject, Injectable } from '@nestjs/common';
import { OrganisationWeek } from '../directory/index.ts';
import type { BoardEntry } from './leaderboard-entry.ts';
import { type Beside, boardReaders, type WhichPage } from './leaderboard-rows.query.ts';
import type { SharedBoard, Standings } from './leaderboard.ts';
import { PlacesService, isCurrentReading } from './places.service.ts';
import type { BoardReading, FastReading } from './redis-leaderboard.client.ts';
import { SharedBoards } from './shared-boards.service.ts';

/** 20 members are listed (9.10), and two neighbours on each side of the caller. */
const extent = { top: 20, neighbours: 2 };

type Reader = { readonly userId: string; readonly at: Date; readonly neighbours: number };
type Found = { readonly shared: SharedBoard; readonly around: BoardReading['around']; readonly rows: Beside };

@Injectable()
export class LeaderboardService {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(PlacesService) private readonly boards: PlacesService,
    @Inject(SharedBoards) private readonly shared: SharedBoards,
    @Inject(OrganisationWeek) private readonly week: OrganisationWeek,
  ) {}

  async read({ orgId, userId, at }: Caller, period: BoardPeriod): Promise<Standings> {
    const which = { orgId, period, runningWeek: await this.week.startOf(orgId, at) };
    const reader = { userId, at, neighbours: extent.neighbours };
    const { shared, around, rows } = await this.find(which, reader, (board) => Promise.resolve(board.around.entries));
    return { userId, shared, around, people: rows.people, ownTeamId: rows.ownTeamId };
  }

  /** The shared board, with the place of each reader whose place is known. Readers in `ask` have to read for themselves. */
  async readFor(
    { orgId, at, readers }: { orgId: string; at: Date; readers: readonly string[] },
    period: BoardPeriod,
  ): Promise<{ shared: SharedBoard; standings: Standings[]; ask: string[] }> {
    const which = { orgId, period, runningWeek: await this.week.startOf(orgId, at) };
    const known = await boardReaders(this.pool, orgId, { readers, weekStartsOn: which.runningWeek });
    const versioned = known.map(({ userId, version, weekVersion }) => {
      return { userId, version: period === 'week' ? weekVersion : version };
    });
    let readings: Awaited<ReturnType<PlacesService['readingsOf']>> = new Map();
    const { shared, rows } = await this.find(which, { userId: strangerId, at, neighbours: 0 }, async () => {
      readings = await this.boards.readingsOf(boardOf(which), { readers: versioned, neighbours: extent.neighbours });
      return [...readings.values()].flatMap((reading) => (reading === 'behind' ? [] : reading.around.entries));
    });
    const standings = known.flatMap(({ userId, teamId }) => {
      const reading = readings.get(userId);
      if (!isCurrentReading(reading, rows.generation)) return [];
      return [{ userId, shared, around: reading.around, people: rows.people, ownTeamId: teamId }];
    });
    const answered = new Set(standings.map(({ userId }) => userId));
    const ask = readers.filter((userId) => !answered.has(userId) && readings.get(userId) !== 'behind');
    return { shared, standings, ask };
  }

  /** @param entriesOf the entries that are shown besides the top of the board */
  private async find(
    which: WhichPage,
    { userId, at, neighbours }: Reader,
    entriesOf: (board: BoardReading) => Promise<readonly BoardEntry[]>,
  ): Promise<Found> {
    const kept = this.shared.knownOf(which);
    const topOf = (board: BoardReading) =>
      kept && changeOf(board) === kept.change ? { ...board.top, entries: kept.board.top } : board.top;
    const asked = { ...boardOf(which), userId };
    const { board, rows } = await this.boards.read(
      asked,
      { top: extent.top, neighbours, known: kept?.change },
      async (board) => {
        const first = new Set(topOf(board).entries.map((entry) => entry.userId));
        const beside = (await entriesOf(board)).map((entry) => entry.userId);
        const people = [...new Set(beside)].filter((id) => id === userId || !first.has(id));
        return this.shared.beside(which, { userId, at, people });
      },
    );
    const shared = await this.shared.read(which, { change: changeOf(board), top: topOf(board), at }, rows);
    return { shared, around: board.around, rows };
  }
}

const boardOf = ({ orgId, period, runningWeek }: WhichPage) => ({
  orgId,
  weekStartsOn: period === 'week' ? runningWeek : null,
});

const changeOf = (board: BoardReading | FastReading): string | undefined =>
  'change' in board ? board.change : undefined;
