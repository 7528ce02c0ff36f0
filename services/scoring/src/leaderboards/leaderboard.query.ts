import type { Caller } from '@caravan/auth/claims';
import { tenantQuery } from '@caravan/event-store/postgres';
import { Pool } from '@caravan/service-kit/pool';
import { Inject, Injectable } from '@nestjs/common';
import type { BoardReading } from '../board.client.ts';
import { BoardQuery, truthColumns } from '../board.query.ts';
import type { Truth } from '../board.query.ts';
import { profileIdSql, shownIdSql, shownNameSql, shownPhotoSql } from '../member-as-shown.query.ts';
import { OrganisationWeek } from '../organisation-week.query.ts';
import { teamStandingsSql } from '../team-standings.query.ts';
import type { Person, Standings, TeamStanding } from './leaderboard.ts';

/** The first 20 members and 10 teams are listed (9.10), and two neighbours on each side of the caller. */
const extent = { top: 20, neighbours: 2 };
const listedTeams = 10;

// Everything the rows know for one page, in one round trip: people by id, teams, and whether Redis may be believed.
const pageSql = `
  with ${teamStandingsSql}, ranked as (
    select standings.*, rank() over (order by centimiles desc) as rank,
      row_number() over (order by centimiles desc, reached_at, formed_position) as place
    from standings
  ), own as (
    select team_id from members where org_id = $1 and user_id = $2
  )
  select ${truthColumns},
    (select team_id from own) as "ownTeamId",
    (select coalesce(json_agg(p), '[]') from (
      select m.user_id as "userId", ${shownIdSql} as "shownId", ${profileIdSql} as "profileId", ${shownNameSql} as name, ${shownPhotoSql} as "photoUrl", t.name as "teamName", t.emoji as "teamEmoji", coalesce(w.centimiles, 0) as "weekCentimiles"
      from members m
      left join teams t on t.org_id = m.org_id and t.team_id = m.team_id
      left join member_weeks w on w.org_id = m.org_id and w.user_id = m.user_id and w.week_starts_on = $3
      where m.org_id = $1 and m.user_id = any($4::uuid[])
    ) p) as people,
    (select coalesce(json_agg(r order by r.place), '[]') from (
      select team_id as id, name, emoji, member_count as "memberCount", centimiles, week_centimiles as "weekCentimiles", rank, place
      from ranked where place <= ${listedTeams} or team_id = (select team_id from own)
    ) r) as teams`;

type Row = Truth & { ownTeamId: string | null; people: Person[]; teams: (TeamStanding & { place: number })[] };

/** Reads the board of the caller's organisation: one question to Redis, one to PostgreSQL. */
@Injectable()
export class LeaderboardQuery {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(BoardQuery) private readonly boards: BoardQuery,
    @Inject(OrganisationWeek) private readonly week: OrganisationWeek,
  ) {}

  async read({ orgId, userId, at }: Caller): Promise<Standings> {
    const weekStartsOn = await this.week.startOf(orgId, at);
    const { board, rows } = await this.boards.read({ orgId, userId }, extent, (reading) =>
      this.page(orgId, userId, weekStartsOn, reading),
    );
    const ownTeam = rows.teams.find(({ id }) => id === rows.ownTeamId);
    const teams = rows.teams.filter(({ place }) => place <= listedTeams);
    return { userId, board, people: rows.people, teams, ownTeam };
  }

  private async page(orgId: string, userId: string, weekStartsOn: string, { top, around }: BoardReading): Promise<Row> {
    const shown = [...new Set([...top.entries, ...around.entries].map((entry) => entry.userId))];
    const { rows } = await tenantQuery<Row>(this.pool, orgId, pageSql, [orgId, userId, weekStartsOn, shown]);
    const [row] = rows;
    if (!row) throw new Error('A select without a table has one row');
    return row;
  }
}
