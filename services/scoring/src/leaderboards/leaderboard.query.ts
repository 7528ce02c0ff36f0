import type { Caller } from '@caravan/auth/claims';
import type { BoardPeriod } from '@caravan/contracts/http/scores';
import { strangerId } from '@caravan/contracts/unnamed';
import { tenantQuery } from '@caravan/event-store/postgres';
import { PhotoAddresses } from '@caravan/service-kit/photo-address';
import { Pool } from '@caravan/service-kit/pool';
import { Inject, Injectable } from '@nestjs/common';
import type { BoardEntry } from './leaderboard-entry.ts';
import { boardReaders } from './leaderboard-rows.query.ts';
import { PlacesQuery, isCurrentReading, freshnessColumns, weekFreshnessColumns } from './places.query.ts';
import type { Asked, Freshness } from './places.query.ts';
import { profileIdSql, shownIdSql, shownNameSql, shownPhotoSql, OrganisationWeek } from '../directory/index.ts';
import { teamStandingsSql } from './leaderboard-rows.query.ts';
import type { Person, Standings, TeamStanding } from './leaderboard.ts';

/** 20 members and 10 teams are listed (9.10), and two neighbours on each side of the caller. */
const extent = { top: 20, neighbours: 2 };
const listedTeams = 10;

type Ranking = { freshness: string; teamMiles: string; reached: string; otherMiles: string };
const rankings: Record<BoardPeriod, Ranking> = {
  all: {
    ...{ freshness: freshnessColumns, teamMiles: 'centimiles', reached: 'reached_at' },
    otherMiles:
      'select centimiles from member_weeks w where w.org_id = $1 and w.week_starts_on = $3 and w.user_id = m.user_id',
  },
  week: {
    ...{ freshness: weekFreshnessColumns, teamMiles: 'week_centimiles', reached: 'week_reached_at' },
    otherMiles: 'select centimiles from member_totals a where a.org_id = $1 and a.user_id = m.user_id',
  },
};

// One round trip. Miles are looked up person by person: a plan made for an empty week would read all of it each time.
const pageSql = ({ freshness, teamMiles, reached, otherMiles }: Ranking) => `
  with ${teamStandingsSql}, ranked as (
    select standings.*, rank() over (order by ${teamMiles} desc) as rank,
      row_number() over (order by ${teamMiles} desc, ${reached}, formed_position) as place
    from standings where not is_retired or ${teamMiles} > 0
  ), own as (
    select team_id from members where org_id = $1 and user_id = $2
  )
  select ${freshness},
    (select team_id from own) as "ownTeamId",
    (select coalesce(json_agg(p), '[]') from (
      select m.user_id as "userId", ${shownIdSql} as "shownId", ${profileIdSql} as "profileId", ${shownNameSql} as name, ${shownPhotoSql} as "photoUrl", t.name as "teamName", t.emoji as "teamEmoji",
        (${otherMiles}) as "otherCentimiles"
      from members m left join teams t on t.org_id = m.org_id and t.team_id = m.team_id
      where m.org_id = $1 and m.user_id = any($4::uuid[])
    ) p) as people,
    (select coalesce(json_agg(r order by r.place), '[]') from (
      select team_id as id, name, emoji, member_count as "memberCount", centimiles, week_centimiles as "weekCentimiles", rank, place
      from ranked where place <= ${listedTeams} or team_id = (select team_id from own) or $5::boolean
    ) r) as teams`;
const pageSqls = { all: pageSql(rankings.all), week: pageSql(rankings.week) };

type Row = Freshness & { ownTeamId: string | null; people: Person[]; teams: (TeamStanding & { place: number })[] };

@Injectable()
export class LeaderboardQuery {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(PlacesQuery) private readonly boards: PlacesQuery,
    @Inject(OrganisationWeek) private readonly week: OrganisationWeek,
    @Inject(PhotoAddresses) private readonly addresses: PhotoAddresses,
  ) {}

  async read({ orgId, userId, at }: Caller, period: BoardPeriod): Promise<Standings> {
    const runningWeek = await this.week.startOf(orgId, at);
    const asked = { orgId, userId, weekStartsOn: period === 'week' ? runningWeek : null };
    const { board, rows } = await this.boards.read(asked, extent, ({ top, around }) =>
      this.page(asked, { period, runningWeek }, [...top.entries, ...around.entries]),
    );
    const ownTeam = rows.teams.find(({ id }) => id === rows.ownTeamId);
    const teams = rows.teams.filter(({ place }) => place <= listedTeams);
    return { userId, period, board, people: this.signed(rows.people, { orgId, at }), teams, ownTeam };
  }

  /** As a stranger sees it, and where readers stand who see of themselves what everybody sees; the others ask. */
  async readFor(
    { orgId, at, readers }: { orgId: string; at: Date; readers: readonly string[] },
    period: BoardPeriod,
  ): Promise<{ stranger: Standings; standings: Standings[]; ask: string[] }> {
    const runningWeek = await this.week.startOf(orgId, at);
    const which = { orgId, weekStartsOn: period === 'week' ? runningWeek : null };
    const asked = { ...which, userId: strangerId };
    const known = await boardReaders(this.pool, orgId, { readers, weekStartsOn: runningWeek });
    const versioned = known.map(({ userId, version, weekVersion }) => {
      return { userId, version: period === 'week' ? weekVersion : version };
    });
    let found: Awaited<ReturnType<PlacesQuery['readingsOf']>> = new Map();
    const { board, rows } = await this.boards.read(asked, { ...extent, neighbours: 0 }, async ({ top }) => {
      found = await this.boards.readingsOf(which, { readers: versioned, neighbours: extent.neighbours });
      const entries = [...found.values()].flatMap((reading) => (reading === 'behind' ? [] : reading.around.entries));
      return this.page(asked, { period, runningWeek, areAllTeams: true }, [...top.entries, ...entries]);
    });
    const shown = this.signed(rows.people, { orgId, at });
    const people = new Map(shown.map((person) => [person.userId, person]));
    const standings = known.flatMap(({ userId, teamId }) => {
      const reading = found.get(userId);
      if (!isCurrentReading(reading, rows.generation)) return [];
      const { around } = reading;
      const ownTeam = rows.teams.find(({ id }) => id === teamId);
      const theirs = around.entries.flatMap((entry) => people.get(entry.userId) ?? []);
      return [{ userId, period, board: { top: nothing, around }, people: theirs, teams: [], ownTeam }];
    });
    const teams = rows.teams.filter(({ place }) => place <= listedTeams);
    const stranger = { userId: strangerId, period, board, people: shown, teams, ownTeam: undefined };
    const answered = new Set(standings.map(({ userId }) => userId));
    const ask = readers.filter((userId) => !answered.has(userId) && found.get(userId) !== 'behind');
    return { stranger, standings, ask };
  }

  private signed(people: readonly Person[], reading: { readonly orgId: string; readonly at: Date }): Person[] {
    return people.map((person) => ({ ...person, photoUrl: this.addresses.face(person.photoUrl, reading) }));
  }

  private async page(
    { orgId, userId }: Asked,
    { period, runningWeek, areAllTeams = false }: { period: BoardPeriod; runningWeek: string; areAllTeams?: boolean },
    entries: readonly BoardEntry[],
  ): Promise<Row> {
    const shown = [...new Set(entries.map((entry) => entry.userId))];
    const values = [orgId, userId, runningWeek, shown, areAllTeams];
    const { rows } = await tenantQuery<Row>(this.pool, orgId, pageSqls[period], values);
    const [row] = rows;
    if (!row) throw new Error('A select without a table has one row');
    return row;
  }
}

const nothing = { entries: [], above: 0, firstRank: 1 };
