import { CurrentCaller } from '@caravan/auth/caller.decorator';
import type { Caller } from '@caravan/auth/claims';
import { OpenToGuests } from '@caravan/auth/access.decorator';
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
import { me } from './me.query.ts';
import { OwnAccounts } from './own-account.client.ts';
import { changeOfProfile, changeOfSettings } from './own-account.ts';
import { ownSettings } from './own-account.query.ts';
import { WantedAddresses } from './wanted-address.client.ts';

@Controller('api/me')
@OpenToGuests()
export class OwnAccountController {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(OwnAccounts) private readonly accounts: OwnAccounts,
    @Inject(WantedAddresses) private readonly wantedAddresses: WantedAddresses,
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
    const wanted = await this.wantedAddresses.in(request, caller, ip);
    await this.accounts.change(caller, changeOfSettings(request), { privacy: request.privacy, wanted });
    return ownSettings(this.pool, caller);
  }
}
