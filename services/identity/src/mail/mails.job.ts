import { withTenant } from '@caravan/event-store/postgres/connections';
import { Env } from '@caravan/service-kit/process/env';
import { HandlesJob } from '@caravan/service-kit/jobs/handles-job.decorator';
import { defineJob } from '@caravan/service-kit/jobs/job';
import { Jobs } from '@caravan/service-kit/jobs/jobs';
import { Pool } from '@caravan/service-kit/storage/pool';
import { Sweeps } from '@caravan/service-kit/jobs/sweeps';
import type { Sweep } from '@caravan/service-kit/jobs/sweeps';
import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import type { IdentityEnv } from '../env.ts';
import { deleteMail, waitingMail } from './mails.store.ts';
import { forgetMailsOlderThan, mailsOlderThan } from './mails.system.store.ts';
import { renderMail } from './rendered-mail.ts';
import { mailServer, Smtp } from './smtp.client.ts';

/** Ids only: neither names nor addresses of people belong into Redis. */
export const sendMail = defineJob({
  name: 'identity.send-mail',
  remadeBy: 'identity.sweep-mails',
  data: z.object({ orgId: z.uuid(), mailId: z.uuid() }),
  attempts: 10,
  needs: [mailServer],
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

const sweepSeconds = 60;
/** Younger rows are still being enqueued by the process that committed them. */
export const settledSeconds = 5;
const forgetAfterSeconds = 3 * 86_400;

export const sweepMails = defineJob({
  name: 'identity.sweep-mails',
  data: z.object({}),
  attempts: 1,
  everySeconds: sweepSeconds,
});

/** Takes up mails whose job was never queued, was lost with Redis or has given up. */
@Injectable()
export class SweepMails {
  private readonly mails: Sweep;

  constructor(
    @Inject(Jobs) private readonly jobs: Jobs,
    @Inject(Pool) private readonly pool: Pool,
    @Inject(Sweeps) sweeps: Sweeps,
  ) {
    this.mails = sweeps.of('identity.mails');
  }

  @HandlesJob(sweepMails)
  async sweep(): Promise<void> {
    const before = (seconds: number) => new Date(Date.now() - seconds * 1_000);
    const count = await forgetMailsOlderThan(this.pool, before(forgetAfterSeconds));
    if (count > 0) this.mails.log.error({ event: 'mails-given-up', count }, 'mails could not be sent for three days');
    await this.mails.each(
      await mailsOlderThan(this.pool, before(settledSeconds), this.mails.resting()),
      ({ mailId }) => mailId,
      (mail) => this.jobs.enqueue(sendMail, mail, { key: mail.mailId }),
    );
  }
}
