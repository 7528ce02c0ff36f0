import { CurrentInstant } from '@caravan/auth/caller.decorator';
import { Public } from '@caravan/auth/access.decorator';
import {
  type ForgotPasswordRequest,
  forgotPasswordRequestSchema,
  type MessageAnswer,
} from '@caravan/contracts/http/accounts';
import { Log } from '@caravan/service-kit/log';
import { ValidBody } from '@caravan/service-kit/valid.decorator';
import { Controller, HttpCode, Inject, Post, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Attempts } from '../attempts.client.ts';
import { PasswordLinks } from '../ports.ts';
import { emailKeyOf } from '../email-key.ts';

const message = 'If this address has an account, a mail with a link is on its way. The link works for 30 minutes.';

@Controller('api/forgot-password')
export class ForgotPasswordController {
  constructor(
    @Inject(Attempts) private readonly attempts: Attempts,
    @Inject(PasswordLinks) private readonly links: PasswordLinks,
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
    if (await this.attempts.mayMailLink(emailKeyOf(email))) await this.links.mailTo(email, at);
    this.log.info({ event: 'password-reset-requested', ip }, 'a link to set a new password was asked for');
    return { message };
  }
}
