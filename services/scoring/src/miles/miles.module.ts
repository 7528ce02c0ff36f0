import { Module } from '@nestjs/common';
import { MilesController } from './miles.controller.ts';
import { MilesQuery } from './miles.query.ts';

@Module({ controllers: [MilesController], providers: [MilesQuery] })
export class MilesModule {}
