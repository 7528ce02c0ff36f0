import type { Projection } from '@caravan/event-store/core/projection';
import type { BallotEvent } from './ballot.ts';

const openSql = `
  with opened as materialized (
    select * from json_to_recordset($1) as o (org_id uuid, ballot_id uuid, team_id uuid, option_ids uuid[],
      opened_at timestamptz, ends_at timestamptz)
  ), options as (
    insert into ballot_options (org_id, ballot_id, option_id, place)
    select org_id, ballot_id, option_id, place from opened, unnest(option_ids) with ordinality as o (option_id, place)
  )
  insert into ballots (org_id, ballot_id, team_id, opened_at, ends_at)
  select org_id, ballot_id, team_id, opened_at, ends_at from opened`;

// Several that follow each other: the last is what is offered.
const replaceSql = `
  with replaced as materialized (
    select distinct on (org_id, ballot_id) * from rows from (
      json_to_recordset($1) as (org_id uuid, ballot_id uuid, option_ids uuid[])) with ordinality
      as r (org_id, ballot_id, option_ids, nth)
    order by org_id, ballot_id, nth desc
  ), gone as (
    delete from ballot_options o using replaced r where (o.org_id, o.ballot_id) = (r.org_id, r.ballot_id)
  )
  insert into ballot_options (org_id, ballot_id, option_id, place)
  select org_id, ballot_id, option_id, place from replaced, unnest(option_ids) with ordinality as o (option_id, place)`;

const rescheduleSql = `
  update ballots b set ends_at = r.ends_at from (
    select distinct on (org_id, ballot_id) * from rows from (
      json_to_recordset($1) as (org_id uuid, ballot_id uuid, ends_at timestamptz)) with ordinality
      as r (org_id, ballot_id, ends_at, nth)
    order by org_id, ballot_id, nth desc
  ) r where (b.org_id, b.ballot_id) = (r.org_id, r.ballot_id)`;

const voteSql = `
  with cast_votes as (
    insert into ballot_votes (org_id, ballot_id, user_id, option_id, voted_at)
    select org_id, ballot_id, user_id, option_id, voted_at from json_to_recordset($1)
      as v (org_id uuid, ballot_id uuid, user_id uuid, option_id uuid, voted_at timestamptz)
    returning org_id, ballot_id, option_id
  )
  update ballot_options o set votes = o.votes + c.count
  from (select org_id, ballot_id, option_id, count(*)::int as count from cast_votes group by 1, 2, 3) c
  where (o.org_id, o.ballot_id, o.option_id) = (c.org_id, c.ballot_id, c.option_id)`;

const decideSql = `
  update ballots b set decided_at = d.decided_at, ranking = d.ranking from json_to_recordset($1)
    as d (org_id uuid, ballot_id uuid, decided_at timestamptz, ranking uuid[])
  where (b.org_id, b.ballot_id) = (d.org_id, d.ballot_id)`;

/** Ballots with their tallies, which are the count of their votes. */
export const ballotsProjection: Projection<BallotEvent> = {
  name: 'ballots',
  revision: 1,
  tables: ['ballots', 'ballot_options', 'ballot_votes'],
  on: {
    BallotOpened: ({ orgId, data: { ballotId, teamId, optionIds, openedAt, endsAt } }) => [
      {
        text: openSql,
        rows: [
          {
            org_id: orgId,
            ballot_id: ballotId,
            team_id: teamId,
            option_ids: optionIds,
            opened_at: openedAt,
            ends_at: endsAt,
          },
        ],
      },
    ],
    NamesReplaced: ({ orgId, data: { ballotId, optionIds } }) => [
      { text: replaceSql, rows: [{ org_id: orgId, ballot_id: ballotId, option_ids: optionIds }] },
    ],
    BallotRescheduled: ({ orgId, data: { ballotId, endsAt } }) => [
      { text: rescheduleSql, rows: [{ org_id: orgId, ballot_id: ballotId, ends_at: endsAt }] },
    ],
    VoteCast: ({ orgId, data: { ballotId, userId, optionId, votedAt } }) => [
      {
        text: voteSql,
        rows: [{ org_id: orgId, ballot_id: ballotId, user_id: userId, option_id: optionId, voted_at: votedAt }],
      },
    ],
    BallotDecided: ({ orgId, data: { ballotId, ranking, decidedAt } }) => [
      { text: decideSql, rows: [{ org_id: orgId, ballot_id: ballotId, ranking, decided_at: decidedAt }] },
    ],
  },
};
