import { poolOfAllOrganisations } from './sums.ts';

const query = `
  select o.org_id, count(m.user_id)::int as members,
    exists (select from invites i where i.org_id = o.org_id and i.revoked_at is null and i.expires_at > now()
      and (i.max_uses is null or i.uses < i.max_uses)) as is_open
  from organisations o left join memberships m on m.org_id = o.org_id
  where o.closed_at is null
  group by o.org_id having count(*) filter (where m.role = 'admin' and m.is_active) = 0
  order by o.org_id`;

/** Each with the command that mends it. No invariant: a default organisation begins so. */
export async function withoutAdmin(identityUrl: string): Promise<string[]> {
  const pool = poolOfAllOrganisations(identityUrl);
  try {
    const { rows } = await pool.query<{ orgId: string; members: number; isOpen: boolean }>(query);
    return rows.flatMap(({ orgId, members, isOpen }) => {
      if (members > 0)
        return [`${orgId}: ${members} member${members === 1 ? '' : 's'}, no admin. ./caravan appoint-admin <e-mail>`];
      return isOpen ? [`${orgId}: an open invite, no admin. ./caravan close-organisation ${orgId}`] : [];
    });
  } finally {
    await pool.end();
  }
}
