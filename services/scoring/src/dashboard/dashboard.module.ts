import { Module } from '@nestjs/common';
import { DashboardController } from './dashboard.controller.ts';
import { DashboardQuery } from './dashboard.query.ts';

@Module({ controllers: [DashboardController], providers: [DashboardQuery] })
export class DashboardModule {}
