import { Module } from '@nestjs/common';
import { Destinations } from './destinations.query.ts';
import { InvitationsController } from './invitations.controller.ts';
import { SignUpService } from './sign-up-service.client.ts';
import { Operator } from './operator.client.ts';
import { Registration } from './registration.client.ts';
import { OrganisationProvisioner } from './organisation-provisioner.client.ts';
import { SignUpController } from './sign-up.controller.ts';

@Module({
  controllers: [SignUpController, InvitationsController],
  providers: [Destinations, Operator, OrganisationProvisioner, Registration, SignUpService],
})
export class AccountsModule {}
