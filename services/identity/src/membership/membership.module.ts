import { Global, Module } from '@nestjs/common';
import { Belonging } from '../doors.ts';
import { belonging } from './belonging.query.ts';
import { KeepScoresWhenMilesCredited } from './keep-scores-when-miles-credited.consumer.ts';
import { MeController } from './me.controller.ts';

@Global()
@Module({
  controllers: [MeController, KeepScoresWhenMilesCredited],
  providers: [{ provide: Belonging, useValue: belonging }],
  exports: [Belonging],
})
export class MembershipModule {}
