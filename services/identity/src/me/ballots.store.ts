import type { Tx } from '@caravan/event-store/core/event-store';

type BallotRef = { readonly orgId: string; readonly ballotId: string };

export async function storeOpenBallot(
  tx: Tx,
  { orgId, ballotId, teamId, endsAt }: BallotRef & { readonly teamId: string; readonly endsAt: string },
): Promise<void> {
  await tx.query(
    `insert into open_ballots (org_id, ballot_id, team_id, ends_at) values ($1, $2, $3, $4) on conflict do nothing`,
    [orgId, ballotId, teamId, endsAt],
  );
}

export async function moveBallotEnd(tx: Tx, { orgId, ballotId }: BallotRef, endsAt: string): Promise<void> {
  await tx.query('update open_ballots set ends_at = $3 where org_id = $1 and ballot_id = $2', [
    orgId,
    ballotId,
    endsAt,
  ]);
}

export async function removeOpenBallot(tx: Tx, { orgId, ballotId }: BallotRef): Promise<void> {
  await tx.query('delete from open_ballots where org_id = $1 and ballot_id = $2', [orgId, ballotId]);
}

/** Stores nothing of somebody who was erased meanwhile. */
export async function storeVoter(tx: Tx, { orgId, ballotId }: BallotRef, userId: string): Promise<void> {
  await tx.query(
    `insert into ballot_voters (org_id, ballot_id, user_id)
       select org_id, $2, user_id from memberships where org_id = $1 and user_id = $3 on conflict do nothing`,
    [orgId, ballotId, userId],
  );
}

/** For rebuilt rows: erased members leave nothing. */
export const forgetErasedVotersSql = `delete from ballot_voters s where not exists (select from memberships m where m.org_id = s.org_id and m.user_id = s.user_id)`;
