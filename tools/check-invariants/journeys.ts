import { type Invariant, scoring, waitingCredits } from './figures.ts';

const badge = (userId: string, badgeId: string) => `concat_ws('/', org_id, ${userId}, ${badgeId}) id`;
const arrival = (journeyId: string, teamId: string, checkpoint: string) =>
  `concat_ws('/', org_id, ${journeyId}, ${teamId}, ${checkpoint}) id`;

/** Told once; teams stand where their miles have brought them. */
export const journeyInvariants: readonly Invariant[] = [
  {
    name: 'I3 a team day is the sum of what was earned for it on that date',
    truth: scoring(`select concat_ws('/', org_id, team_id, credited_on) id, sum(centimiles) sum from ledger_entries
      group by org_id, team_id, credited_on`),
    claim: scoring(`select concat_ws('/', org_id, team_id, credited_on) id, sum(centimiles) sum from (
        select org_id, team_id, credited_on, centimiles from team_days
        union all select org_id, team_id, credited_on, centimiles from ${waitingCredits}) both_parts
      group by org_id, team_id, credited_on`),
  },
  {
    name: 'I3 whoever has earned miles for a team is known to have contributed',
    truth: scoring(`select distinct concat_ws('/', org_id, team_id, user_id) id, 1 sum from ledger_entries
      where centimiles > 0`),
    claim: scoring(`select concat_ws('/', org_id, team_id, user_id) id, 1 sum from (
        select org_id, team_id, user_id from team_contributors
        union select org_id, team_id, user_id from ${waitingCredits} where centimiles > 0) both_parts`),
  },
  {
    name: 'I4 a badge is earned once',
    // One that only its owner saw may have gone, and come again (D13).
    truth: scoring(`select ${badge(`data ->> 'userId'`, `data ->> 'badgeId'`)},
        count(*) filter (where type = 'BadgeEarned') - count(*) filter (where type = 'BadgeWithdrawn') sum
      from es.events where type in ('BadgeEarned', 'BadgeWithdrawn') group by 1
      having count(*) filter (where type = 'BadgeEarned') <> count(*) filter (where type = 'BadgeWithdrawn')`),
    claim: scoring(`select ${badge('user_id', 'badge_id')}, 1 sum from member_badges`),
  },
  {
    name: 'I4 a team reaches a checkpoint once',
    truth:
      scoring(`select ${arrival(`data ->> 'journeyId'`, `data ->> 'teamId'`, `data ->> 'checkpoint'`)}, count(*) sum
      from es.events where type = 'CheckpointReached' group by 1`),
    claim: scoring(`select ${arrival('journey_id', 'team_id', 'checkpoint')}, 1 sum from journey_arrivals`),
  },
  {
    name: 'I9 profiles show the badges that their members have',
    // 2: only its owner sees it (D13).
    truth: scoring(`select ${badge('user_id', 'badge_id')}, 1 + is_owner_only::int sum from member_badges b
      where exists (select from members m where m.org_id = b.org_id and m.user_id = b.user_id and not m.is_erased)`),
    claim: {
      service: 'identity',
      text: `select ${badge('user_id', 'badge_id')}, 1 + is_owner_only::int sum from member_badges`,
    },
  },
];
