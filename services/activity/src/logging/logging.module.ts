import { Module } from '@nestjs/common';
import { MovementController } from './movement.controller.ts';
import { OwnLogsQuery } from './own-logs.query.ts';

@Module({ controllers: [MovementController], providers: [OwnLogsQuery] })
export class LoggingModule {}
