import { Module } from '@nestjs/common';
import { ForgetAccountsWhenOrganisationClosed } from './forget-accounts-when-organisation-closed.consumer.ts';
import { FitnessStatusController } from './fitness-status.controller.ts';
import { FitnessStatusQuery } from './fitness-status.query.ts';
import { ForgetAccountsWhenMemberErased } from './forget-accounts-when-member-erased.consumer.ts';

@Module({
  controllers: [FitnessStatusController, ForgetAccountsWhenMemberErased, ForgetAccountsWhenOrganisationClosed],
  providers: [FitnessStatusQuery],
})
export class AccountsModule {}
