import { randomBytes } from 'node:crypto';
import { Jobs } from '@caravan/service-kit/jobs';
import { Log } from '@caravan/service-kit/log';
import { Pool } from '@caravan/service-kit/pool';
import { Inject, Injectable } from '@nestjs/common';
import type { PasswordLinks } from '../ports.ts';
import { Passwords } from '../passwords.client.ts';
import { mailResetLink } from './mail-reset-link.job.ts';
import { insertRequest } from './resets.query.ts';

/** Links to set a new password, by mail: whether anybody has the address is looked up by the job (S16). */
@Injectable()
export class MailedPasswordLinks implements PasswordLinks {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(Jobs) private readonly jobs: Jobs,
    @Inject(Log) private readonly log: Log,
    @Inject(Passwords) private readonly passwords: Passwords,
  ) {}

  nobodysPassword(): Promise<string> {
    return this.passwords.hash(randomBytes(32).toString('base64'));
  }

  async mailTo(email: string, at: Date): Promise<void> {
    const requestId = await insertRequest(this.pool, email, at);
    this.jobs
      .enqueue(mailResetLink, { requestId }, { key: requestId })
      .catch((error: unknown) => this.log.warn({ err: error }, 'a request for a link waits for the next sweep'));
  }
}
