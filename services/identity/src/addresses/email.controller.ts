import { OpenToGuests, Public } from '@caravan/auth/access.decorator';
import { CurrentCaller, CurrentInstant } from '@caravan/auth/caller.decorator';
import type { Caller } from '@caravan/auth/claims';
import { emptyBodySchema, linkTokenRequestSchema } from '@caravan/contracts/http/accounts';
import type { LinkTokenRequest, MessageAnswer } from '@caravan/contracts/http/accounts';
import { withTenant } from '@caravan/event-store/postgres/connections';
import { Pool } from '@caravan/service-kit/storage/pool';
import { ValidBody } from '@caravan/service-kit/http/valid.decorator';
import { Controller, Delete, HttpCode, Inject, Post, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Attempts } from '../credentials/index.ts';
import { AddressNotifier, AddressService } from './addresses.service.ts';
import { addressToConfirm } from './addresses.store.ts';

@Controller('api/email')
@OpenToGuests()
export class OwnEmailController {
  constructor(
    @Inject(AddressService) private readonly addresses: AddressService,
    @Inject(AddressNotifier) private readonly notifier: AddressNotifier,
    @Inject(Pool) private readonly pool: Pool,
  ) {}

  /** Mails the link once more. */
  @Post('confirmation')
  @HttpCode(200)
  async resend(@ValidBody(emptyBodySchema) _body: object, @CurrentCaller() caller: Caller): Promise<MessageAnswer> {
    const isAsked = await withTenant(this.pool, caller.orgId, async (tx) => {
      const email = await addressToConfirm(tx, caller);
      if (email !== undefined) await this.addresses.ask(tx, caller, email, caller.at);
      return email !== undefined;
    });
    return { message: isAsked ? 'A mail with a new link is on its way.' : 'Your e-mail address is confirmed already.' };
  }

  /** Keeps the address one has: the link to another one confirms nothing any more. */
  @Delete('pending')
  async withdraw(@CurrentCaller() caller: Caller): Promise<MessageAnswer> {
    await withTenant(this.pool, caller.orgId, (tx) => this.addresses.withdraw(tx, caller, caller.at));
    this.notifier.withdrawn(caller);
    return { message: 'Your e-mail address stays as it is.' };
  }
}

@Controller('api/email')
export class ConfirmationController {
  constructor(
    @Inject(Attempts) private readonly attempts: Attempts,
    @Inject(AddressService) private readonly addresses: AddressService,
    @Inject(AddressNotifier) private readonly notifier: AddressNotifier,
  ) {}

  @Public()
  @Post('confirm')
  @HttpCode(200)
  async confirm(
    @ValidBody(linkTokenRequestSchema) { token }: LinkTokenRequest,
    @CurrentInstant() at: Date,
    @Req() { ip }: FastifyRequest,
  ): Promise<MessageAnswer> {
    this.notifier.announceConfirmation(await this.attempts.fromAddress(ip, () => this.addresses.confirm(token, at)));
    return { message: 'Your e-mail address is confirmed.' };
  }
}
