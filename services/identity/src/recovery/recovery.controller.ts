import { Public } from '@caravan/auth/access.decorator';
import { CurrentInstant } from '@caravan/auth/caller.decorator';
import { emailKeyOf } from '@caravan/contracts/domain/text/email-address';
import {
  forgotPasswordRequestSchema,
  linkTokenRequestSchema,
  resetPasswordRequestSchema,
} from '@caravan/contracts/http/accounts';
import type {
  ForgotPasswordRequest,
  LinkTokenRequest,
  MessageAnswer,
  ResetPasswordRequest,
} from '@caravan/contracts/http/accounts';
import { Log } from '@caravan/service-kit/telemetry/log';
import { logSecurity } from '@caravan/service-kit/telemetry/security-log';
import { ValidBody } from '@caravan/service-kit/http/valid.decorator';
import { Controller, HttpCode, Inject, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AddressNotifier } from '../addresses/index.ts';
import { Attempts } from '../credentials/index.ts';
import { AddressUndo, PasswordReset, OpenedLinks, PasswordLinks } from './recovery.service.ts';

const message = 'If this address has an account, a mail with a link is on its way. The link works for 30 minutes.';

@Controller('api/forgot-password')
export class ForgotPasswordController {
  constructor(
    @Inject(Attempts) private readonly attempts: Attempts,
    @Inject(PasswordLinks) private readonly links: PasswordLinks,
    @Inject(Log) private readonly log: Log,
  ) {}

  /** The same for every address: who has it is looked up by the job (S16). */
  @Public()
  @Post()
  @HttpCode(200)
  async forgot(
    @ValidBody(forgotPasswordRequestSchema) { email }: ForgotPasswordRequest,
    @CurrentInstant() at: Date,
    @Req() { ip }: FastifyRequest,
  ): Promise<MessageAnswer> {
    await this.attempts.mailLink(ip, emailKeyOf(email), () => this.links.mailTo(email, at));
    this.log.info({ event: 'password-reset-requested', ip }, 'a link to set a new password was asked for');
    return { message };
  }
}

@Controller('api/reset-password')
export class ResetPasswordController {
  constructor(
    @Inject(Attempts) private readonly attempts: Attempts,
    @Inject(OpenedLinks) private readonly links: OpenedLinks,
    @Inject(PasswordReset) private readonly passwordReset: PasswordReset,
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
      await this.passwordReset.set(opened, at);
      return opened.person;
    });
    const { devices } = this.attempts;
    await this.attempts.forgive(emailKeyOf(email), { ip, device: devices.deviceOf(headers.cookie, email, at) });
    answer.header('set-cookie', devices.remember(headers.cookie, email, at));
    logSecurity(this.log, 'password-reset', { userId, ip });
    return { message: 'Your password has been updated successfully.' };
  }
}

const undone =
  'Your account keeps this address. Every device was signed out; a link to set a new password is on its way.';

/** For whoever holds the link that was mailed to the old address. */
@Controller('api/email/undo')
export class UndoAddressController {
  constructor(
    @Inject(Attempts) private readonly attempts: Attempts,
    @Inject(AddressUndo) private readonly undoing: AddressUndo,
    @Inject(AddressNotifier) private readonly notifier: AddressNotifier,
  ) {}

  @Public()
  @Post()
  @HttpCode(200)
  async undo(
    @ValidBody(linkTokenRequestSchema) { token }: LinkTokenRequest,
    @CurrentInstant() at: Date,
    @Req() { ip }: FastifyRequest,
  ): Promise<MessageAnswer> {
    this.notifier.announceUndo(await this.attempts.fromAddress(ip, () => this.undoing.undo(token, at)));
    return { message: undone };
  }
}
