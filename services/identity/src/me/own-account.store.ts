import type { Caller } from '@caravan/auth/claims';
import type { ActivityLevel } from '@caravan/contracts/events/fields';
import type { Privacy, Settings } from '@caravan/contracts/http/people';
import type { Tx } from '@caravan/event-store/core/event-store';
import { tenantQuery, withTenant } from '@caravan/event-store/postgres/connections';
import { Rejected } from '@caravan/kernel/rejected';
import { refuseStale } from '@caravan/service-kit/http/if-match.decorator';
import type { Pool } from '@caravan/service-kit/storage/pool';
import { settingsOf } from './own-account.ts';
import type { OwnAccount } from './own-account.ts';

type Person = { readonly orgId: string; readonly userId: string };
type AccountRow = OwnAccount & { readonly privacy: Privacy };

const readAccount = `select name, email, phone, bio, location, favorite_activity,
    time_zone, theme, units, notify_by_email, notify_by_push,
    notify_of_team, notify_weekly,
    json_build_object('profileVisible', profile_visible, 'activityVisible', activity_visible, 'statsVisible', stats_visible,
      'shareHeartRate', share_heart_rate, 'shareCalories', share_calories,
      'featuredInRecaps', featured_in_recaps) as privacy
  from persons where org_id = $1 and user_id = $2`;

/** Throws `Rejected` when the account is gone. */
export async function ownSettings(pool: Pool, { orgId, userId }: Person): Promise<Settings> {
  const { rows } = await tenantQuery<AccountRow>(pool, orgId, readAccount, [orgId, userId]);
  const { privacy, ...account } = existingRow(rows);
  return settingsOf(account, privacy);
}

/**
 * Locks it until the transaction ends. Throws `Rejected` when it is gone, or its settings are others than the caller has
 * seen.
 */
export async function lockedAccount(tx: Tx, { orgId, userId }: Person, seen?: string): Promise<OwnAccount> {
  const { rows } = await tx.query<AccountRow>(`${readAccount} for no key update`, [orgId, userId]);
  const { privacy, ...account } = existingRow(rows);
  refuseStale(seen, settingsOf(account, privacy));
  return account;
}

export async function writeAccount(tx: Tx, { orgId, userId }: Person, account: OwnAccount): Promise<void> {
  await tx.query(
    `update persons set name = $3, email = $4, phone = $5, bio = $6, location = $7, favorite_activity = $8,
      time_zone = $9, theme = $10, units = $11, notify_by_email = $12, notify_by_push = $13, notify_of_team = $14,
      notify_weekly = $15 where org_id = $1 and user_id = $2`,
    [
      orgId,
      userId,
      account.name,
      account.email,
      account.phone,
      account.bio,
      account.location,
      account.favoriteActivity,
      account.timeZone,
      account.theme,
      account.units,
      account.notifyByEmail,
      account.notifyByPush,
      account.notifyOfTeam,
      account.notifyWeekly,
    ],
  );
}

export async function chooseActivityLevel(pool: Pool, { orgId, userId }: Caller, level: ActivityLevel): Promise<void> {
  const { rowCount } = await withTenant(pool, orgId, (tx) =>
    tx.query('update persons set activity_level = $3 where org_id = $1 and user_id = $2', [orgId, userId, level]),
  );
  if (rowCount === 0) throw goneRefusal();
}

function existingRow([row]: readonly AccountRow[]): AccountRow {
  if (!row) throw goneRefusal();
  return row;
}

function goneRefusal(): Rejected {
  return new Rejected('me/gone', 'unauthenticated', 'This account does not exist any more.');
}
