import { OpenToGuests } from '@caravan/auth/access.decorator';
import { CurrentCaller } from '@caravan/auth/caller.decorator';
import type { Caller } from '@caravan/auth/claims';
import type { ActivityLevel } from '@caravan/contracts/events/fields';
import { activityLevelRequestSchema } from '@caravan/contracts/http/accounts';
import type { Me } from '@caravan/contracts/http/accounts';
import { profileRequestSchema, settingsRequestSchema } from '@caravan/contracts/http/people';
import { profilePhotoRequestSchema } from '@caravan/contracts/http/photos';
import type { ProfilePhotoAnswer, ProfilePhotoRequest } from '@caravan/contracts/http/photos';
import type { ProfileRequest, Settings, SettingsRequest } from '@caravan/contracts/http/people';
import { IfMatch } from '@caravan/service-kit/http/if-match.decorator';
import { Live } from '@caravan/service-kit/live/live';
import { PhotoAddresses } from '@caravan/service-kit/storage/photo-address';
import { Pool } from '@caravan/service-kit/storage/pool';
import { ValidBody } from '@caravan/service-kit/http/valid.decorator';
import { Controller, Delete, Get, Inject, Patch, Put, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { me } from './me.query.ts';
import { OwnAccounts, WantedAddresses } from './own-account.service.ts';
import { chooseActivityLevel, ownSettings } from './own-account.store.ts';
import { changeOfProfile, changeOfSettings } from './own-account.ts';
import { OwnPhotos } from './own-photo.service.ts';

@Controller('api/me')
@OpenToGuests()
export class MeController {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(Live) private readonly live: Live,
    @Inject(PhotoAddresses) private readonly addresses: PhotoAddresses,
  ) {}

  @Get()
  me(@CurrentCaller() caller: Caller): Promise<Me> {
    return me(this.pool, this.addresses, caller);
  }

  @Patch('activity-level')
  async chooseActivityLevel(
    @ValidBody(activityLevelRequestSchema) { activityLevel }: { activityLevel: ActivityLevel },
    @CurrentCaller() caller: Caller,
  ): Promise<{ activityLevel: ActivityLevel }> {
    await chooseActivityLevel(this.pool, caller, activityLevel);
    this.live.publish(caller.orgId, ['me'], { to: caller.userId });
    return { activityLevel };
  }
}

@Controller('api/me')
@OpenToGuests()
export class OwnAccountController {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(OwnAccounts) private readonly accounts: OwnAccounts,
    @Inject(WantedAddresses) private readonly wantedAddresses: WantedAddresses,
    @Inject(PhotoAddresses) private readonly addresses: PhotoAddresses,
  ) {}

  @Patch('profile')
  async editProfile(
    @ValidBody(profileRequestSchema) request: ProfileRequest,
    @CurrentCaller() caller: Caller,
  ): Promise<Me> {
    await this.accounts.change(caller, changeOfProfile(request));
    return me(this.pool, this.addresses, caller);
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
    @IfMatch() seen: string | undefined,
  ): Promise<Settings> {
    await this.wantedAddresses.changing(request, caller, ip, (wanted) =>
      this.accounts.change(caller, changeOfSettings(request), { privacy: request.privacy, wanted, seen }),
    );
    return ownSettings(this.pool, caller);
  }
}

@Controller('api/me/photo')
export class OwnPhotoController {
  constructor(@Inject(OwnPhotos) private readonly photos: OwnPhotos) {}

  @Put()
  show(
    @ValidBody(profilePhotoRequestSchema) { objectPath }: ProfilePhotoRequest,
    @CurrentCaller() caller: Caller,
  ): Promise<ProfilePhotoAnswer> {
    return this.photos.show(caller, objectPath);
  }

  @Delete()
  remove(@CurrentCaller() caller: Caller): Promise<ProfilePhotoAnswer> {
    return this.photos.remove(caller);
  }
}
