import { withTenant } from '@caravan/event-store/postgres';
import { Env } from '@caravan/service-kit/env';
import { HandlesJob } from '@caravan/service-kit/handles-job.decorator';
import { defineJob } from '@caravan/service-kit/job';
import { Pool } from '@caravan/service-kit/pool';
import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import type { IdentityEnv } from '../env.ts';
import { renderMail } from './rendered-mail.ts';
import { deleteMail, waitingMail } from './mails.query.ts';
import { Smtp } from './smtp.client.ts';

/** Ids only: neither names nor addresses of people belong into Redis. */
export const sendMail = defineJob({
  name: 'identity.send-mail',
  data: z.object({ orgId: z.uuid(), mailId: z.uuid() }),
  attempts: 10,
});

@Injectable()
export class SendMails {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(Smtp) private readonly smtp: Smtp,
    @Inject(Env) private readonly env: IdentityEnv,
  ) {}

  /** Whoever dies between the two last steps sends again: better twice than never. */
  @HandlesJob(sendMail)
  async send({ orgId, mailId }: z.infer<typeof sendMail.data>): Promise<void> {
    const mail = await withTenant(this.pool, orgId, (tx) => waitingMail(tx, orgId, mailId));
    if (!mail) throw new Error('This mail is not written yet, or not any more');
    const rendered = renderMail(mail.notice, { organization: mail.organization, publicUrl: this.env.PUBLIC_URL });
    await this.smtp.send(rendered, mail.notice, mailId);
    await withTenant(this.pool, orgId, (tx) => deleteMail(tx, orgId, mailId));
  }
}
