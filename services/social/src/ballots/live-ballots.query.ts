import type { Tx } from '@caravan/event-store/core/event-store';
import { shownSql } from './ballots.query.ts';

type Reader = { readonly userId: string; readonly ballotId: string | null; readonly hasVoted: boolean };

/** Members among these with the latest ballot that their team is shown. */
export async function liveBallotReaders(
  tx: Tx,
  { orgId, at }: { readonly orgId: string; readonly at: Date },
  userIds: readonly string[],
): Promise<Reader[]> {
  const { rows } = await tx.query<Reader>(
    `select m.user_id, b.ballot_id, v.user_id is not null as has_voted
     from members m left join lateral (
       select b.ballot_id from ballots b
       where b.org_id = m.org_id and b.team_id = m.team_id and ${shownSql('$3::timestamptz')}
       order by b.opened_at desc limit 1
     ) b on true
     left join ballot_votes v on (v.org_id, v.ballot_id, v.user_id) = (m.org_id, b.ballot_id, m.user_id)
     where m.org_id = $1 and m.user_id = any($2::uuid[])`,
    [orgId, userIds, at],
  );
  return rows;
}
