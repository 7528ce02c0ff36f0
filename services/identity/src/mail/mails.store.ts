import { randomUUIDv7 } from 'node:crypto';
import type { Tx } from '@caravan/event-store/core/event-store';
import { z } from 'zod';
import type { ConfirmedAddress, Notice } from './rendered-mail.ts';

const what = { name: z.string(), at: z.coerce.date() };
const storedSchema = z.discriminatedUnion('about', [
  z.object({ ...what, about: z.enum(['password-changed', 'account-erased']) }),
  z.object({ ...what, about: z.literal('export-ready'), until: z.coerce.date() }),
  z.object({
    ...what,
    about: z.literal('platform-disconnected'),
    platform: z.string(),
    why: z.enum(['asked', 'revoked']),
    areImportsRemoved: z.boolean(),
  }),
]);

export type WaitingMail = { readonly notice: Notice; readonly organization: string };

/** Notes a notice as not sent yet; answers the id of its row. */
export async function insertMail(
  tx: Tx,
  orgId: string,
  to: ConfirmedAddress,
  notice: Omit<Notice, 'to'>,
): Promise<string> {
  const mailId = randomUUIDv7();
  await tx.query(
    'insert into mails (mail_id, org_id, recipient, notice, written_at) values ($1, $2, $3, $4, clock_timestamp())',
    [mailId, orgId, to, JSON.stringify(notice)],
  );
  return mailId;
}

export async function waitingMail(tx: Tx, orgId: string, mailId: string): Promise<WaitingMail | undefined> {
  const { rows } = await tx.query<{ recipient: ConfirmedAddress; notice: unknown; organization: string }>(
    `select m.recipient, m.notice, o.name as organization
      from mails m join organisations o on o.org_id = m.org_id where m.org_id = $1 and m.mail_id = $2`,
    [orgId, mailId],
  );
  const [row] = rows;
  return row && { notice: { to: row.recipient, ...storedSchema.parse(row.notice) }, organization: row.organization };
}

export async function deleteMail(tx: Tx, orgId: string, mailId: string): Promise<void> {
  await tx.query('delete from mails where org_id = $1 and mail_id = $2', [orgId, mailId]);
}
