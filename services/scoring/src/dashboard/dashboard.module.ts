import { Module } from '@nestjs/common';
import { DashboardController } from './dashboard.controller.ts';
import { DashboardQuery } from './dashboard.query.ts';
import { LiveDashboard } from './live-dashboard.query.ts';

@Module({ controllers: [DashboardController], providers: [DashboardQuery, LiveDashboard] })
export class DashboardModule {}
