import { Module } from '@nestjs/common';
import { ChangesController } from './changes.controller.ts';
import { MovementController } from './movement.controller.ts';

@Module({ controllers: [ChangesController, MovementController] })
export class LoggingModule {}
