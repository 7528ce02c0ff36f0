import type { Privacy, Settings } from '@caravan/contracts/http/people';
import type { Tx } from '@caravan/event-store/event-store';
import { tenantQuery } from '@caravan/event-store/postgres';
import { Rejected } from '@caravan/event-store/rejected';
import type { Pool } from '@caravan/service-kit/pool';
import { emailKeyOf } from '../email-key.ts';
import { type OwnAccount, settingsOf } from './own-account.ts';

type Person = { readonly orgId: string; readonly userId: string };
type AccountRow = OwnAccount & { readonly privacy: Privacy };

const readAccount = `select name, email, phone, bio, location, favorite_activity as "favoriteActivity",
    time_zone as "timeZone", theme, units, notify_by_email as "notifyByEmail", notify_by_push as "notifyByPush",
    notify_of_team as "notifyOfTeam", notify_weekly as "notifyWeekly",
    json_build_object('profileVisible', profile_visible, 'activityVisible', activity_visible, 'statsVisible', stats_visible,
      'shareHeartRate', share_heart_rate, 'shareCalories', share_calories) as privacy
  from persons where org_id = $1 and user_id = $2`;

/** The settings object of somebody. Throws `Rejected` when the account is gone. */
export async function ownSettings(pool: Pool, { orgId, userId }: Person): Promise<Settings> {
  const { rows } = await tenantQuery<AccountRow>(pool, orgId, readAccount, [orgId, userId]);
  const { privacy, ...account } = found(rows);
  return settingsOf(account, privacy);
}

/** The account, nobody else's to change until the transaction ends. Throws `Rejected` when it is gone. */
export async function lockedAccount(tx: Tx, { orgId, userId }: Person): Promise<OwnAccount> {
  const { rows } = await tx.query<AccountRow>(`${readAccount} for no key update`, [orgId, userId]);
  const { privacy: _, ...account } = found(rows);
  return account;
}

export async function writeAccount(tx: Tx, { orgId, userId }: Person, account: OwnAccount): Promise<void> {
  await tx.query(
    `update persons set name = $3, email = $4, phone = $5, bio = $6, location = $7, favorite_activity = $8,
      time_zone = $9, theme = $10, units = $11, notify_by_email = $12, notify_by_push = $13, notify_of_team = $14,
      notify_weekly = $15 where org_id = $1 and user_id = $2`,
    [
      ...[orgId, userId, account.name, account.email, account.phone, account.bio, account.location],
      ...[account.favoriteActivity, account.timeZone, account.theme, account.units],
      ...[account.notifyByEmail, account.notifyByPush, account.notifyOfTeam, account.notifyWeekly],
    ],
  );
}

/**
 * Signs in with another address from now on. Of two who want one address at once the second waits and is refused.
 * Throws `Rejected` for a taken one, whoever has it.
 */
export async function takeAddress(tx: Tx, { orgId, userId }: Person, email: string): Promise<void> {
  // A new row can meet a conflict without an error; an update could not.
  const { rows } = await tx.query<{ password_hash: string }>(
    'delete from credentials where org_id = $1 and user_id = $2 returning password_hash',
    [orgId, userId],
  );
  const [credential] = rows;
  if (!credential) throw gone();
  const { rowCount } = await tx.query(
    `insert into credentials (org_id, user_id, email_key, password_hash) values ($1, $2, $3, $4)
      on conflict (email_key) do nothing`,
    [orgId, userId, emailKeyOf(email), credential.password_hash],
  );
  // A link that went to the old address must not open the account any more.
  await tx.query('delete from password_resets where org_id = $1 and user_id = $2', [orgId, userId]);
  if (rowCount === 0) throw new Rejected('settings/address-taken', 'conflict', 'This email address cannot be used.');
}

function found([row]: readonly AccountRow[]): AccountRow {
  if (!row) throw gone();
  return row;
}

function gone(): Rejected {
  return new Rejected('me/gone', 'unauthenticated', 'This account does not exist any more.');
}
