import { Module } from '@nestjs/common';
import { RememberMemberWhenMemberJoined } from './remember-member-when-member-joined.consumer.ts';
import { RememberOrganisationWhenOrganisationFounded } from './remember-organisation-when-organisation-founded.consumer.ts';
import { RememberTeamWhenTeamFormed } from './remember-team-when-team-formed.consumer.ts';

@Module({
  controllers: [
    RememberMemberWhenMemberJoined,
    RememberOrganisationWhenOrganisationFounded,
    RememberTeamWhenTeamFormed,
  ],
})
export class MembersModule {}
