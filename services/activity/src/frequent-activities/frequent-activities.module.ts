import { Module } from '@nestjs/common';
import { FrequentActivitiesController } from './frequent-activities.controller.ts';
import { FrequentActivities } from './frequent-activities.query.ts';

@Module({ controllers: [FrequentActivitiesController], providers: [FrequentActivities] })
export class FrequentActivitiesModule {}
