import { emailKeyOf } from '@caravan/contracts/domain/text/email-address';
import { withTenant } from '@caravan/event-store/postgres/connections';
import { HandlesJob } from '@caravan/service-kit/jobs/handles-job.decorator';
import { defineJob } from '@caravan/service-kit/jobs/job';
import { Jobs } from '@caravan/service-kit/jobs/jobs';
import { Pool } from '@caravan/service-kit/storage/pool';
import { Sweeps } from '@caravan/service-kit/jobs/sweeps';
import type { Sweep } from '@caravan/service-kit/jobs/sweeps';
import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import { credentialOf } from '../credentials/index.ts';
import { mailServer, MailService, newMailedToken, settledSeconds } from '../mail/index.ts';
import { deleteRequest, deleteRequestsBefore, putReset, requestedAddress, requestsBefore } from './resets.store.ts';
import { forgetResetsOver } from './resets.system.store.ts';

export const mailResetLink = defineJob({
  name: 'identity.mail-reset-link',
  remadeBy: 'identity.sweep-resets',
  data: z.object({ requestId: z.uuid() }),
  attempts: 10,
  needs: [mailServer],
});

@Injectable()
export class MailResetLink {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(MailService) private readonly mails: MailService,
  ) {}

  /** Each attempt makes a link of its own: what is mailed is written nowhere, and only the last one works. */
  @HandlesJob(mailResetLink)
  async mail({ requestId }: z.infer<typeof mailResetLink.data>): Promise<void> {
    const email = await requestedAddress(this.pool, requestId);
    const person = email === undefined ? undefined : await credentialOf(this.pool, emailKeyOf(email));
    if (person?.mayEnter) {
      const token = newMailedToken();
      const organization = await withTenant(this.pool, person.orgId, (tx) =>
        putReset(tx, person, token.hash, new Date()),
      );
      const { name, email: to } = person;
      await this.mails.deliver({ about: 'password-reset', to, name, organization, token: token.text });
    }
    await deleteRequest(this.pool, requestId);
  }
}

const sweepSeconds = 60;
const forgetAfterSeconds = 6 * 3_600;

export const sweepResets = defineJob({
  name: 'identity.sweep-resets',
  data: z.object({}),
  attempts: 1,
  everySeconds: sweepSeconds,
});

/** Takes up requests whose job never came, and forgets what is over. */
@Injectable()
export class SweepResets {
  private readonly requests: Sweep;

  constructor(
    @Inject(Jobs) private readonly jobs: Jobs,
    @Inject(Pool) private readonly pool: Pool,
    @Inject(Sweeps) sweeps: Sweeps,
  ) {
    this.requests = sweeps.of('identity.reset-requests');
  }

  @HandlesJob(sweepResets)
  async sweep(): Promise<void> {
    const before = (seconds: number) => new Date(Date.now() - seconds * 1_000);
    await forgetResetsOver(this.pool, before(0));
    await deleteRequestsBefore(this.pool, before(forgetAfterSeconds));
    await this.requests.each(
      await requestsBefore(this.pool, before(settledSeconds), this.requests.resting()),
      (requestId) => requestId,
      (requestId) => this.jobs.enqueue(mailResetLink, { requestId }, { key: requestId }),
    );
  }
}
