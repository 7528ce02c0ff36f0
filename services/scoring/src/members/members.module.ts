import { Module } from '@nestjs/common';
import { CountInMemberWhenMemberReactivated } from './count-in-member-when-member-reactivated.consumer.ts';
import { CountOutMemberWhenMemberDeactivated } from './count-out-member-when-member-deactivated.consumer.ts';
import { ForgetMemberWhenMemberErased } from './forget-member-when-member-erased.consumer.ts';
import { KeepProfileWhenProfileEdited } from './keep-profile-when-profile-edited.consumer.ts';
import { MoveMemberWhenMemberMoved } from './move-member-when-member-moved.consumer.ts';
import { RememberMemberWhenMemberJoined } from './remember-member-when-member-joined.consumer.ts';
import { RespectPrivacyWhenPrivacyChosen } from './respect-privacy-when-privacy-chosen.consumer.ts';

@Module({
  controllers: [
    RememberMemberWhenMemberJoined,
    MoveMemberWhenMemberMoved,
    CountOutMemberWhenMemberDeactivated,
    CountInMemberWhenMemberReactivated,
    KeepProfileWhenProfileEdited,
    RespectPrivacyWhenPrivacyChosen,
    ForgetMemberWhenMemberErased,
  ],
})
export class MembersModule {}
