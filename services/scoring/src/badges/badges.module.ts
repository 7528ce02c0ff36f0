import { Global, Module } from '@nestjs/common';
import { BadgeAwards } from '../badge-awards.client.ts';
import { BadgesController } from './badges.controller.ts';

@Global()
@Module({ providers: [BadgeAwards], controllers: [BadgesController], exports: [BadgeAwards] })
export class BadgesModule {}
