import { withTenant } from '@caravan/event-store/postgres';
import { HandlesJob } from '@caravan/service-kit/handles-job.decorator';
import { defineJob } from '@caravan/service-kit/job';
import { Pool } from '@caravan/service-kit/pool';
import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import { Mailing } from '../ports.ts';
import { newMailedToken } from '../mailed-token.client.ts';
import { linkHours } from './addresses.query.ts';

export const mailConfirmation = defineJob({
  name: 'identity.mail-confirmation',
  data: z.object({ orgId: z.uuid(), userId: z.uuid(), askId: z.uuid() }),
  attempts: 10,
});

type Due = { readonly to: string; readonly name: string; readonly organization: string; readonly isOwn: boolean };

@Injectable()
export class MailConfirmation {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(Mailing) private readonly mailing: Mailing,
  ) {}

  /** Each attempt makes a link of its own: what is mailed is written nowhere, and only the last one works. */
  @HandlesJob(mailConfirmation)
  async mail({ orgId, userId, askId }: z.infer<typeof mailConfirmation.data>): Promise<void> {
    const token = newMailedToken();
    const expiresAt = new Date(Date.now() + linkHours * 3_600_000);
    const { rows } = await withTenant(this.pool, orgId, (tx) =>
      tx.query<Due>(
        `update email_confirmations c set token = $4, expires_at = $5
        from persons p join organisations o on o.org_id = p.org_id
          join credentials k on (k.org_id, k.user_id) = (p.org_id, p.user_id)
        where (p.org_id, p.user_id) = (c.org_id, c.user_id)
          and c.org_id = $1 and c.user_id = $2 and c.ask_id = $3 and c.mailed_at is null
        returning c.email as "to", p.name, o.name as organization, c.email_key = k.email_key as "isOwn"`,
        [orgId, userId, askId, token.hash, expiresAt],
      ),
    );
    const [due] = rows;
    if (!due) return;
    await this.mailing.deliver({ about: 'confirm-address', ...due, token: token.text });
    await withTenant(this.pool, orgId, (tx) =>
      tx.query('update email_confirmations set mailed_at = now() where org_id = $1 and user_id = $2 and ask_id = $3', [
        orgId,
        userId,
        askId,
      ]),
    );
  }
}
