import { randomUUID } from 'node:crypto';
import type { Tx } from '@caravan/event-store/event-store';
import { Env } from '@caravan/service-kit/env';
import { Jobs } from '@caravan/service-kit/jobs';
import { Log } from '@caravan/service-kit/log';
import { Inject, Injectable } from '@nestjs/common';
import type { LinkMail, Mailing, Notice, ToWhomever } from '../ports.ts';
import type { IdentityEnv } from '../env.ts';
import { renderMail } from './rendered-mail.ts';
import { insertMail } from './mails.query.ts';
import { sendMail } from './send-mails.job.ts';
import { Smtp } from './smtp.client.ts';

// By then the transaction that wrote a mail has nearly always committed; otherwise the job tries again.
const commitSeconds = 1;

@Injectable()
export class MailService implements Mailing {
  constructor(
    @Inject(Jobs) private readonly jobs: Jobs,
    @Inject(Smtp) private readonly smtp: Smtp,
    @Inject(Env) private readonly env: IdentityEnv,
    @Inject(Log) private readonly log: Log,
  ) {}

  async send(tx: Tx, orgId: string, { to, ...rest }: ToWhomever<Notice>): Promise<void> {
    if (to === undefined) return;
    const mailId = await insertMail(tx, orgId, to, rest);
    this.jobs
      .enqueue(sendMail, { orgId, mailId }, { key: mailId, delaySeconds: commitSeconds })
      .catch((error: unknown) => this.log.warn({ err: error }, 'a mail waits for the next sweep'));
  }

  async deliver(mail: LinkMail): Promise<void> {
    const rendered = renderMail(mail, { organization: mail.organization, publicUrl: this.env.PUBLIC_URL });
    await this.smtp.send(rendered, mail, randomUUID());
  }
}
