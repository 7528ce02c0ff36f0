import { CurrentInstant } from '@caravan/auth/caller.decorator';
import { Public } from '@caravan/auth/access.decorator';
import { type LinkTokenRequest, linkTokenRequestSchema, type MessageAnswer } from '@caravan/contracts/http/accounts';
import { ValidBody } from '@caravan/service-kit/valid.decorator';
import { Controller, HttpCode, Inject, Post, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Attempts } from '../attempts.client.ts';
import { AddressNews } from './address-news.client.ts';
import { EmailAddresses } from './email-addresses.client.ts';
import { Undoing } from './undoing.client.ts';

const undone =
  'Your account keeps this address. Every device was signed out; a link to set a new password is on its way.';

/** What mailed links do, for whoever holds one. */
@Controller('api/email')
export class MailedLinksController {
  constructor(
    @Inject(Attempts) private readonly attempts: Attempts,
    @Inject(EmailAddresses) private readonly addresses: EmailAddresses,
    @Inject(Undoing) private readonly undoing: Undoing,
    @Inject(AddressNews) private readonly news: AddressNews,
  ) {}

  @Public()
  @Post('confirm')
  @HttpCode(200)
  async confirm(
    @ValidBody(linkTokenRequestSchema) { token }: LinkTokenRequest,
    @CurrentInstant() at: Date,
    @Req() { ip }: FastifyRequest,
  ): Promise<MessageAnswer> {
    this.news.confirmed(await this.attempts.fromAddress(ip, () => this.addresses.confirm(token, at)));
    return { message: 'Your e-mail address is confirmed.' };
  }

  @Public()
  @Post('undo')
  @HttpCode(200)
  async undo(
    @ValidBody(linkTokenRequestSchema) { token }: LinkTokenRequest,
    @CurrentInstant() at: Date,
    @Req() { ip }: FastifyRequest,
  ): Promise<MessageAnswer> {
    this.news.undone(await this.attempts.fromAddress(ip, () => this.undoing.undo(token, at)));
    return { message: undone };
  }
}
