import { Module } from '@nestjs/common';
import { ForgetAllWhenOrganisationClosed } from './forget-all-when-organisation-closed.consumer.ts';
import { ForgetMemberWhenMemberErased } from './forget-member-when-member-erased.consumer.ts';
import { KeepTimeZoneWhenProfileEdited } from './keep-time-zone-when-profile-edited.consumer.ts';
import { MoveMemberWhenMemberMoved } from './move-member-when-member-moved.consumer.ts';
import { RememberMemberWhenMemberJoined } from './remember-member-when-member-joined.consumer.ts';

@Module({
  controllers: [
    RememberMemberWhenMemberJoined,
    MoveMemberWhenMemberMoved,
    KeepTimeZoneWhenProfileEdited,
    ForgetMemberWhenMemberErased,
    ForgetAllWhenOrganisationClosed,
  ],
})
export class MembersModule {}
