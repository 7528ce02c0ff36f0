import { Module } from '@nestjs/common';
import { ForgetWordsWhenOrganisationClosed } from './forget-words-when-organisation-closed.consumer.ts';
import { FollowRuleWhenStreakFreezesSwitched } from './follow-rule-when-streak-freezes-switched.consumer.ts';
import { RememberOrganisationWhenOrganisationFounded } from './remember-organisation-when-organisation-founded.consumer.ts';
import { RememberTeamWhenTeamFormed } from './remember-team-when-team-formed.consumer.ts';
import { RenameTeamWhenTeamRenamed } from './rename-team-when-team-renamed.consumer.ts';
import { ReopenTeamWhenTeamReopened } from './reopen-team-when-team-reopened.consumer.ts';
import { RetireTeamWhenTeamRetired } from './retire-team-when-team-retired.consumer.ts';

@Module({
  controllers: [
    FollowRuleWhenStreakFreezesSwitched,
    ForgetWordsWhenOrganisationClosed,
    RememberOrganisationWhenOrganisationFounded,
    RememberTeamWhenTeamFormed,
    RenameTeamWhenTeamRenamed,
    ReopenTeamWhenTeamReopened,
    RetireTeamWhenTeamRetired,
  ],
})
export class OrganisationsModule {}
