import { Global, Module } from '@nestjs/common';
import { Belonging, Managing } from '../ports.ts';
import { belonging } from './belonging.query.ts';
import { managing } from './managing.query.ts';

@Global()
@Module({
  providers: [
    { provide: Belonging, useValue: belonging },
    { provide: Managing, useValue: managing },
  ],
  exports: [Belonging, Managing],
})
export class MembershipModule {}
