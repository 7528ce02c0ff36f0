import type { ManagedTeam } from '@caravan/contracts/http/organisations';
import type { Tx } from '@caravan/event-store/event-store';
import { tenantQuery } from '@caravan/event-store/postgres';
import type { Pool } from '@caravan/service-kit/pool';

type TeamRow = Omit<ManagedTeam, 'formedAt'> & { readonly formedAt: Date };

const columns = `t.team_id as id, t.name, t.emoji, r.active_members as "memberCount", t.retired_at is not null as retired,
  t.formed_at as "formedAt" from teams t join team_rosters r on (r.org_id, r.team_id) = (t.org_id, t.team_id)`;

export async function teamsOf(pool: Pool, orgId: string): Promise<ManagedTeam[]> {
  const { rows } = await tenantQuery<TeamRow>(
    pool,
    orgId,
    `select ${columns} where t.org_id = $1 order by t.retired_at is not null, t.formed_at, t.team_id`,
    [orgId],
  );
  return rows.map(shown);
}

export async function teamOf(tx: Tx, orgId: string, teamId: string): Promise<ManagedTeam> {
  const { rows } = await tx.query<TeamRow>(`select ${columns} where t.org_id = $1 and t.team_id = $2`, [orgId, teamId]);
  const [row] = rows;
  if (!row) throw new Error('A team that was just written is not there');
  return shown(row);
}

function shown(row: TeamRow): ManagedTeam {
  return { ...row, formedAt: row.formedAt.toISOString() };
}
