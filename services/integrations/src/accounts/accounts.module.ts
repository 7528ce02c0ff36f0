import { Module } from '@nestjs/common';
import { FitnessStatusController } from './fitness-status.controller.ts';
import { FitnessStatusQuery } from './fitness-status.query.ts';

@Module({ controllers: [FitnessStatusController], providers: [FitnessStatusQuery] })
export class AccountsModule {}
