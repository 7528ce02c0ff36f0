import { withTenant } from '@caravan/event-store/postgres';
import { HandlesJob } from '@caravan/service-kit/handles-job.decorator';
import { defineJob } from '@caravan/service-kit/job';
import { Pool } from '@caravan/service-kit/pool';
import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import { Mailing } from '../ports.ts';
import { newMailedToken } from '../mailed-token.client.ts';

export const mailUndo = defineJob({
  name: 'identity.mail-undo',
  data: z.object({ orgId: z.uuid(), undoId: z.uuid() }),
  attempts: 10,
});

type Due = {
  readonly to: string;
  readonly name: string;
  readonly organization: string;
  readonly newEmail: string;
  readonly hasChanged: boolean;
};

@Injectable()
export class MailUndo {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(Mailing) private readonly mailing: Mailing,
  ) {}

  /** Each attempt makes a link of its own, like those to confirm an address. */
  @HandlesJob(mailUndo)
  async mail({ orgId, undoId }: z.infer<typeof mailUndo.data>): Promise<void> {
    const token = newMailedToken();
    const { rows } = await withTenant(this.pool, orgId, (tx) =>
      tx.query<Due>(
        `update email_undos u set token = $3
        from persons p join organisations o on o.org_id = p.org_id
        where (p.org_id, p.user_id) = (u.org_id, u.user_id)
          and u.org_id = $1 and u.undo_id = $2 and u.mailed_at is null
        returning u.email as "to", p.name, o.name as organization, u.new_email as "newEmail",
          u.has_changed as "hasChanged"`,
        [orgId, undoId, token.hash],
      ),
    );
    const [due] = rows;
    if (!due) return;
    await this.mailing.deliver({ about: 'undo-address', ...due, token: token.text });
    await withTenant(this.pool, orgId, (tx) =>
      tx.query('update email_undos set mailed_at = now() where org_id = $1 and undo_id = $2', [orgId, undoId]),
    );
  }
}
