import { organisationZoneAt } from '@caravan/contracts/domain/time/organisation-zone';
import { withSystem } from '@caravan/event-store/postgres/connections';
import type { Pool } from '@caravan/service-kit/storage/pool';
import { zonesSql } from '../directory/index.ts';
import type { Organisation } from './due-reminders.query.ts';

type OrganisationRow = Omit<Organisation, 'timeZone' | 'zones'> & { readonly memberZones: readonly (string | null)[] };

/** All open organisations with the zones of their members. */
export async function organisationsWithZones(pool: Pool, at: Date): Promise<Organisation[]> {
  const { rows } = await withSystem(pool, (tx) =>
    tx.query<OrganisationRow>(
      `select o.org_id, ${zonesSql} as history, o.has_streak_freezes as has_freezes,
       array(select distinct m.time_zone from members m where m.org_id = o.org_id and m.is_active) as member_zones,
       (select json_build_object('challengeId', challenge_id, 'name', title, 'activityType', activity_type,
          'openedAt', opened_at, 'expiresAt', expires_at)
        from bonus_challenges b where b.org_id = o.org_id and b.closed_at is null limit 1) as bonus
     from organisations o where not o.is_closed`,
    ),
  );
  return rows.map(({ memberZones, ...row }) => {
    const timeZone = organisationZoneAt(row.history, at);
    return { ...row, timeZone, zones: [...new Set(memberZones.map((zone) => zone ?? timeZone))] };
  });
}

export const rowsPerSweep = 5_000;

export type Pending = { readonly id: number; readonly orgId: string; readonly credits: number };

/** Rows of credits of which nobody was told yet, after one of them. */
export async function pendingAfter(pool: Pool, after: number): Promise<Pending[]> {
  const { rows } = await withSystem(pool, (tx) =>
    tx.query<Pending>(
      `select id, org_id, cardinality(user_ids) as credits from pending_credit_notices
         where id > $1 order by id limit ${rowsPerSweep}`,
      [after],
    ),
  );
  return rows;
}

/** As long as a notice may stand. */
const keptDays = 90;

export async function forgetOldReminders(pool: Pool, at: Date): Promise<void> {
  await withSystem(pool, (tx) =>
    tx.query('delete from sent_reminders where sent_at < $1::timestamptz - make_interval(days => $2)', [at, keptDays]),
  );
}
