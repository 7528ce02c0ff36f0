import type { Caller } from '@caravan/auth/claims';
import { milesOf } from '@caravan/contracts/domain/movement/miles';
import { hiddenMemberName } from '@caravan/contracts/domain/unnamed';
import { withTenant } from '@caravan/event-store/postgres/connections';
import type { Pool } from '@caravan/service-kit/storage/pool';
import type { Picture } from './picture.ts';
import { ownMiles, recapRow, teamsOf } from './recaps.query.ts';

/** Throws `Rejected` (not-found) for what is no recap of the caller's organisation. */
export function pictureOf(pool: Pool, caller: Caller, recapId: string, isWithOwn: boolean): Promise<Picture> {
  const { orgId, userId } = caller;
  return withTenant(pool, orgId, async (tx) => {
    const row = await recapRow(tx, orgId, 'r.recap_id = $2', recapId);
    const { story, weekStartDate, weekEndDate, memberCount } = row;
    const teams = await teamsOf(
      tx,
      orgId,
      story.teams.map(({ teamId }) => teamId),
    );
    const own = isWithOwn ? await ownMiles(tx, caller, weekStartDate) : null;
    const { rows } = await tx.query<{ name: string }>(
      'select name from members where org_id = $1 and user_id = $2 and not is_erased',
      [orgId, userId],
    );
    return {
      weekStartDate,
      weekEndDate,
      memberCount,
      miles: milesOf(row.centimiles),
      previousMiles: milesOf(story.previousCentimiles),
      teams: story.teams.map(({ teamId, centimiles }) => ({ name: teams(teamId).name, miles: milesOf(centimiles) })),
      streaksKept: story.streaks.kept,
      checkpoints: story.checkpoints.length,
      own: own && { name: rows[0]?.name ?? hiddenMemberName, miles: own.miles },
    };
  });
}
