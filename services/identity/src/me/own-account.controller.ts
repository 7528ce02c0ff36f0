import { CurrentCaller } from '@caravan/auth/caller.decorator';
import type { Caller } from '@caravan/auth/claims';
import type { Me } from '@caravan/contracts/http/accounts';
import {
  type ProfileRequest,
  profileRequestSchema,
  type Settings,
  type SettingsRequest,
  settingsRequestSchema,
} from '@caravan/contracts/http/people';
import { Pool } from '@caravan/service-kit/pool';
import { ValidBody } from '@caravan/service-kit/valid.decorator';
import { Controller, Get, Inject, Patch, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Attempts } from '../attempts.client.ts';
import { emailKeyOf } from '../email-key.ts';
import { me } from './me.query.ts';
import { OwnAccounts } from './own-account.client.ts';
import { changeOfProfile, changeOfSettings } from './own-account.ts';
import { ownSettings } from './own-account.query.ts';

@Controller('api/me')
export class OwnAccountController {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(OwnAccounts) private readonly accounts: OwnAccounts,
    @Inject(Attempts) private readonly attempts: Attempts,
  ) {}

  @Patch('profile')
  async editProfile(
    @ValidBody(profileRequestSchema) request: ProfileRequest,
    @CurrentCaller() caller: Caller,
  ): Promise<Me> {
    await this.accounts.change(caller, changeOfProfile(request));
    return me(this.pool, caller);
  }

  @Get('settings')
  settings(@CurrentCaller() caller: Caller): Promise<Settings> {
    return ownSettings(this.pool, caller);
  }

  @Patch('settings')
  async changeSettings(
    @ValidBody(settingsRequestSchema) request: SettingsRequest,
    @CurrentCaller() caller: Caller,
    @Req() { ip }: FastifyRequest,
  ): Promise<Settings> {
    if (request.profile?.email !== undefined) await this.countMove(caller, request.profile.email, ip);
    await this.accounts.change(caller, changeOfSettings(request), request.privacy);
    return ownSettings(this.pool, caller);
  }

  /** Each move sends a mail and tells whether an address is taken: neither is to be had without end. */
  private async countMove(caller: Caller, email: string, ip: string): Promise<void> {
    const { profile } = await ownSettings(this.pool, caller);
    if (emailKeyOf(profile.email) !== emailKeyOf(email)) await this.attempts.asked(caller.userId, ip);
  }
}
