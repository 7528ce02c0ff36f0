import type { Tx } from '@caravan/event-store/core/event-store';
import type { MailSwitch } from './delivery.ts';
import type { Person } from './due-notices.store.ts';

const columns: Readonly<Record<MailSwitch, string>> = {
  email: 'notify_by_email',
  teamUpdates: 'notify_of_team',
  weeklyReports: 'notify_weekly',
};

/** False when the person is gone. */
export async function switchOff(tx: Tx, { orgId, userId }: Person, mails: MailSwitch): Promise<boolean> {
  const values = [orgId, userId];
  const { rowCount } = await tx.query(
    `update persons set ${columns[mails]} = false where org_id = $1 and user_id = $2`,
    values,
  );
  return rowCount !== 0;
}
