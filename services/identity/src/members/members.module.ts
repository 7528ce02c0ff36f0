import { Module } from '@nestjs/common';
import { MemberChanges, MemberNews } from './member-changes.client.ts';
import { MembersController } from './members.controller.ts';

@Module({ controllers: [MembersController], providers: [MemberChanges, MemberNews] })
export class MembersModule {}
