import { Module } from '@nestjs/common';
import { RememberMemberWhenMemberJoined } from './remember-member-when-member-joined.consumer.ts';

@Module({ controllers: [RememberMemberWhenMemberJoined] })
export class MembersModule {}
