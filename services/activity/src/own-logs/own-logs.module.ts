import { Module } from '@nestjs/common';
import { OwnLogsController } from './own-logs.controller.ts';
import { OwnLogsQuery } from './own-logs.query.ts';

@Module({ controllers: [OwnLogsController], providers: [OwnLogsQuery] })
export class OwnLogsModule {}
