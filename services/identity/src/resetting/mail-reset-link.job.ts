import { withTenant } from '@caravan/event-store/postgres';
import { HandlesJob } from '@caravan/service-kit/handles-job.decorator';
import { defineJob } from '@caravan/service-kit/job';
import { Pool } from '@caravan/service-kit/pool';
import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import { credentialOf } from '../across-organisations.query.ts';
import { Mailing } from '../ports.ts';
import { emailKeyOf } from '../email-key.ts';
import { newMailedToken } from '../mailed-token.client.ts';
import { deleteRequest, putReset, requestedAddress } from './resets.query.ts';

export const mailResetLink = defineJob({
  name: 'identity.mail-reset-link',
  data: z.object({ requestId: z.uuid() }),
  attempts: 10,
});

@Injectable()
export class MailResetLink {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(Mailing) private readonly mailing: Mailing,
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
      await this.mailing.deliver({ about: 'password-reset', to, name, organization, token: token.text });
    }
    await deleteRequest(this.pool, requestId);
  }
}
