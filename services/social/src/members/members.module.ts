import { Module } from '@nestjs/common';
import { ForgetAnswersWhenOrganisationClosed } from './forget-answers-when-organisation-closed.consumer.ts';
import { ForgetMemberWhenMemberErased } from './forget-member-when-member-erased.consumer.ts';
import { KeepProfileWhenProfileEdited } from './keep-profile-when-profile-edited.consumer.ts';
import { MoveMemberWhenMemberMoved } from './move-member-when-member-moved.consumer.ts';
import { RememberMemberWhenMemberJoined } from './remember-member-when-member-joined.consumer.ts';
import { RespectPrivacyWhenPrivacyChosen } from './respect-privacy-when-privacy-chosen.consumer.ts';

@Module({
  controllers: [
    RememberMemberWhenMemberJoined,
    MoveMemberWhenMemberMoved,
    KeepProfileWhenProfileEdited,
    RespectPrivacyWhenPrivacyChosen,
    ForgetMemberWhenMemberErased,
    ForgetAnswersWhenOrganisationClosed,
  ],
})
export class MembersModule {}
