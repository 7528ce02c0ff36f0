import { Module } from '@nestjs/common';
import { TemplatesController } from './templates.controller.ts';

@Module({ controllers: [TemplatesController] })
export class ChallengeTemplatesModule {}
