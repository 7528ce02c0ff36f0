import { Module } from '@nestjs/common';
import { CreditMilesWhenMovementLogged } from './credit-miles-when-movement-logged.consumer.ts';

@Module({ controllers: [CreditMilesWhenMovementLogged] })
export class LedgerModule {}
