import { Module } from '@nestjs/common';
import { CorrectMilesWhenMovementCorrected } from './correct-miles-when-movement-corrected.consumer.ts';
import { CreditMilesWhenMovementLogged } from './credit-miles-when-movement-logged.consumer.ts';
import { LedgerEntries } from './ledger-entries.client.ts';
import { TakeBackMilesWhenMovementRemoved } from './take-back-miles-when-movement-removed.consumer.ts';

@Module({
  controllers: [CorrectMilesWhenMovementCorrected, CreditMilesWhenMovementLogged, TakeBackMilesWhenMovementRemoved],
  providers: [LedgerEntries],
})
export class LedgerModule {}
