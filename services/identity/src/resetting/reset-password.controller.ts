import { CurrentInstant } from '@caravan/auth/caller.decorator';
import { Public } from '@caravan/auth/access.decorator';
import {
  type MessageAnswer,
  type ResetPasswordRequest,
  resetPasswordRequestSchema,
} from '@caravan/contracts/http/accounts';
import { Log } from '@caravan/service-kit/log';
import { logSecurity } from '@caravan/service-kit/security-log';
import { ValidBody } from '@caravan/service-kit/valid.decorator';
import { Controller, HttpCode, Inject, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Attempts } from '../attempts.client.ts';
import { emailKeyOf } from '../email-key.ts';
import { NewPassword } from './new-password.client.ts';
import { OpenedLinks } from './opened-link.client.ts';

@Controller('api/reset-password')
export class ResetPasswordController {
  constructor(
    @Inject(Attempts) private readonly attempts: Attempts,
    @Inject(OpenedLinks) private readonly links: OpenedLinks,
    @Inject(NewPassword) private readonly newPassword: NewPassword,
    @Inject(Log) private readonly log: Log,
  ) {}

  @Public()
  @Post()
  @HttpCode(200)
  async reset(
    @ValidBody(resetPasswordRequestSchema) { token, password }: ResetPasswordRequest,
    @CurrentInstant() at: Date,
    @Req() { ip, headers }: FastifyRequest,
    @Res({ passthrough: true }) answer: FastifyReply,
  ): Promise<MessageAnswer> {
    const { userId, email } = await this.attempts.fromAddress(ip, async () => {
      const opened = await this.links.open(token, password, at);
      await this.newPassword.set(opened, at);
      return opened.person;
    });
    const { devices } = this.attempts;
    await this.attempts.forgive(emailKeyOf(email), { ip, device: devices.deviceOf(headers.cookie, email, at) });
    answer.header('set-cookie', devices.remember(headers.cookie, email, at));
    logSecurity(this.log, 'password-reset', { userId, ip });
    return { message: 'Your password has been updated successfully.' };
  }
}
