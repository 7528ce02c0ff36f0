import type { Unit } from '@caravan/event-store/core/event-store';
import type { TeamNaming } from './public-events.ts';

export async function storeTeam({ tx, meta }: Unit, teamId: string, { name, emoji }: TeamNaming): Promise<void> {
  await tx.query('insert into teams (org_id, team_id, name, emoji, formed_at) values ($1, $2, $3, $4, $5)', [
    meta.orgId,
    teamId,
    name,
    emoji,
    meta.at,
  ]);
}

/** A team that is retired again keeps the instant at which it was retired first. */
export async function changeTeamRow(
  { tx, meta }: Unit,
  teamId: string,
  { name, emoji, isRetired }: TeamNaming & { readonly isRetired: boolean },
): Promise<void> {
  await tx.query(
    `update teams set name = $3, emoji = $4, retired_at = case when $5 then coalesce(retired_at, $6) end
        where org_id = $1 and team_id = $2`,
    [meta.orgId, teamId, name, emoji, isRetired, meta.at],
  );
}

export async function renameTeam({ tx, meta }: Unit, teamId: string, name: string): Promise<void> {
  await tx.query(`update teams set name = $3 where org_id = $1 and team_id = $2`, [meta.orgId, teamId, name]);
}
