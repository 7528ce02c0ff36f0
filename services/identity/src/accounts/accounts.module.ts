import { Module } from '@nestjs/common';
import { Destinations } from './destinations.query.ts';
import { Newcomers } from './newcomers.query.ts';
import { Operator } from './operator.client.ts';
import { Registration } from './registration.client.ts';
import { SignUpController } from './sign-up.controller.ts';

@Module({
  controllers: [SignUpController],
  providers: [Destinations, Newcomers, Operator, Registration],
})
export class AccountsModule {}
