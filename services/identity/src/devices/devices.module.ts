import { Module } from '@nestjs/common';
import { OwnSessionsController } from './own-sessions.controller.ts';

@Module({ controllers: [OwnSessionsController] })
export class DevicesModule {}
