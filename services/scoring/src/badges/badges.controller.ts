import { CurrentCaller } from '@caravan/auth/caller.decorator';
import type { Caller } from '@caravan/auth/claims';
import type { EarnedBadge, GalleryBadge } from '@caravan/contracts/http/badges';
import { Controller, Get, Inject } from '@nestjs/common';
import { BadgeAwards } from './badge-awards.service.ts';
import { catalogue } from './catalogue.ts';
import { earnedBadgesOf, figuresOn, galleryOf } from './gallery.ts';

@Controller('api')
export class BadgesController {
  constructor(@Inject(BadgeAwards) private readonly awards: BadgeAwards) {}

  @Get('user/badges')
  async own(@CurrentCaller() caller: Caller): Promise<EarnedBadge[]> {
    return earnedBadgesOf((await this.awards.recordFor(caller)).earned);
  }

  @Get('badges/all')
  async all(@CurrentCaller() caller: Caller): Promise<GalleryBadge[]> {
    const record = await this.awards.recordFor(caller);
    return galleryOf(catalogue, figuresOn(record, caller.at), record.earned);
  }
}
