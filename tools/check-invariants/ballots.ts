import { type Figures, type Invariant, nothingOf } from './figures.ts';

const social = (text: string): Figures => ({ service: 'social', text });
const identity = (text: string): Figures => ({ service: 'identity', text });
const cast = `es.events where category = 'ballot' and type = 'VoteCast'`;
const isThere = `not exists (select from organisations o where o.org_id = b.org_id and o.is_closed)`;

/** One vote each; what is shown is the count of the votes, and every result is that of a ballot. */
export const ballotInvariants: readonly Invariant[] = [
  {
    name: 'I5 a member votes once in a ballot',
    truth: social(`select concat_ws('/', org_id, ballot_id, user_id) id, 1 sum from ballot_votes`),
    claim: social(`select concat_ws('/', org_id, data ->> 'ballotId', data ->> 'userId') id, count(*) sum from ${cast}
      group by 1`),
  },
  {
    name: 'I5 the tally of a name is the count of its votes',
    truth: social(`select concat_ws('/', org_id, data ->> 'ballotId', data ->> 'optionId') id, count(*) sum from ${cast}
      group by 1`),
    claim: social(
      `select concat_ws('/', org_id, ballot_id, option_id) id, votes sum from ballot_options where votes <> 0`,
    ),
  },
  {
    name: 'I5 a team has one open ballot at most',
    truth: nothingOf('social'),
    claim: social(`select concat_ws('/', org_id, team_id) id, count(*) - 1 sum from ballots where decided_at is null
      group by 1 having count(*) > 1`),
  },
  {
    name: 'I5 who has voted counts as having voted',
    truth: social(`select concat_ws('/', v.org_id, ballot_id, user_id) id, 1 sum from ballot_votes v
      join members m using (org_id, user_id) where not m.is_erased`),
    claim: identity(`select concat_ws('/', org_id, ballot_id, user_id) id, 1 sum from ballot_voters`),
  },
  {
    name: 'I5 identity knows the ballots that are open',
    truth: social(`select concat_ws('/', org_id, ballot_id, team_id) id, extract(epoch from ends_at)::bigint sum
      from ballots where decided_at is null`),
    claim: identity(`select concat_ws('/', org_id, ballot_id, team_id) id, extract(epoch from ends_at)::bigint sum
      from open_ballots`),
  },
  {
    name: 'I5 every ballot that was decided has named its team or left it its name, once',
    truth: social(`select concat_ws('/', b.org_id, b.ballot_id) id, 1 sum from ballots b
      where decided_at is not null and ${isThere}`),
    claim: identity(`select concat_ws('/', e.org_id, data ->> 'ballotId') id, count(*) sum from es.events e
      where type = 'TeamNamedByBallot'
        and exists (select from organisations o where o.org_id = e.org_id and o.closed_at is null) group by 1`),
  },
  {
    name: 'I5 every result is what identity made of it',
    truth: identity(`select concat_ws('/', org_id, data ->> 'ballotId') id, coalesce((data ->> 'place')::int, -1) sum
      from es.events where type = 'TeamNamedByBallot'`),
    claim: social(`select concat_ws('/', org_id, ballot_id) id, coalesce(place, -1) sum from ballot_results`),
  },
];
