import { Module } from '@nestjs/common';
import { MovementController } from './movement.controller.ts';

@Module({ controllers: [MovementController] })
export class LoggingModule {}
