import { Module } from '@nestjs/common';
import { MeController } from './me.controller.ts';
import { OwnAccounts } from './own-account.client.ts';
import { OwnAccountController } from './own-account.controller.ts';
import { WantedAddresses } from './wanted-address.client.ts';

@Module({ controllers: [MeController, OwnAccountController], providers: [OwnAccounts, WantedAddresses] })
export class MeModule {}
