import { Module } from '@nestjs/common';
import { InvitesController } from './invites.controller.ts';

@Module({ controllers: [InvitesController] })
export class InvitesModule {}
