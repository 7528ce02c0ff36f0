import { Module } from '@nestjs/common';
import { Destinations } from './destinations.query.ts';
import { InvitationsController } from './invitations.controller.ts';
import { Newcomers } from './newcomers.query.ts';
import { Operator } from './operator.client.ts';
import { Registration } from './registration.client.ts';
import { Settling } from './settling.client.ts';
import { SignUpController } from './sign-up.controller.ts';

@Module({
  controllers: [SignUpController, InvitationsController],
  providers: [Destinations, Newcomers, Operator, Registration, Settling],
})
export class AccountsModule {}
