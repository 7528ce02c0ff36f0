import { Module } from '@nestjs/common';
import { MeController } from './me.controller.ts';
import { OwnAccounts } from './own-account.client.ts';
import { OwnAccountController } from './own-account.controller.ts';

@Module({ controllers: [MeController, OwnAccountController], providers: [OwnAccounts] })
export class MeModule {}
