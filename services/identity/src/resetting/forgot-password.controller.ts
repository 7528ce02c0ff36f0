import { CurrentInstant } from '@caravan/auth/caller.decorator';
import { Public } from '@caravan/auth/public.decorator';
import {
  type ForgotPasswordRequest,
  forgotPasswordRequestSchema,
  type MessageAnswer,
} from '@caravan/contracts/http/accounts';
import { Jobs } from '@caravan/service-kit/jobs';
import { Log } from '@caravan/service-kit/log';
import { Pool } from '@caravan/service-kit/pool';
import { ValidBody } from '@caravan/service-kit/valid.decorator';
import { Controller, HttpCode, Inject, Post, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Attempts } from '../attempts.client.ts';
import { emailKeyOf } from '../email-key.ts';
import { mailResetLink } from './mail-reset-link.job.ts';
import { insertRequest } from './resets.query.ts';

const message = 'If this address has an account, a mail with a link is on its way. The link works for 30 minutes.';

@Controller('api/forgot-password')
export class ForgotPasswordController {
  constructor(
    @Inject(Attempts) private readonly attempts: Attempts,
    @Inject(Pool) private readonly pool: Pool,
    @Inject(Jobs) private readonly jobs: Jobs,
    @Inject(Log) private readonly log: Log,
  ) {}

  /** Answers the same for every address, also when no more mail leaves: who has it is looked up by the job (S16). */
  @Public()
  @Post()
  @HttpCode(200)
  async forgot(
    @ValidBody(forgotPasswordRequestSchema) { email }: ForgotPasswordRequest,
    @CurrentInstant() at: Date,
    @Req() { ip }: FastifyRequest,
  ): Promise<MessageAnswer> {
    await this.attempts.requestMail(ip);
    if (await this.attempts.mayMailLink(emailKeyOf(email))) await this.request(email, at);
    this.log.info({ event: 'password-reset-requested', ip }, 'a link to set a new password was asked for');
    return { message };
  }

  private async request(email: string, at: Date): Promise<void> {
    const requestId = await insertRequest(this.pool, email, at);
    this.jobs
      .enqueue(mailResetLink, { requestId }, { key: requestId })
      .catch((error: unknown) => this.log.warn({ err: error }, 'a request for a link waits for the next sweep'));
  }
}
