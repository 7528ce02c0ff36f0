import { Module } from '@nestjs/common';
import { TeamsController } from './teams.controller.ts';

@Module({ controllers: [TeamsController] })
export class TeamsModule {}
