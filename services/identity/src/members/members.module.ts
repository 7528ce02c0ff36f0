import { Module } from '@nestjs/common';
import { MemberChanges } from './member-changes.client.ts';
import { MembersController } from './members.controller.ts';

@Module({ controllers: [MembersController], providers: [MemberChanges] })
export class MembersModule {}
