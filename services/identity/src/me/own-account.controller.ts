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
import { Controller, Get, Inject, Patch } from '@nestjs/common';
import { me } from './me.query.ts';
import { OwnAccounts } from './own-account.client.ts';
import { changeOfProfile, changeOfSettings } from './own-account.ts';
import { ownSettings } from './own-account.query.ts';

@Controller('api/me')
export class OwnAccountController {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(OwnAccounts) private readonly accounts: OwnAccounts,
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
  ): Promise<Settings> {
    await this.accounts.change(caller, changeOfSettings(request), request.privacy);
    return ownSettings(this.pool, caller);
  }
}
