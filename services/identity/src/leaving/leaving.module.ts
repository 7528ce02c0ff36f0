import { Module } from '@nestjs/common';
import { ErasureCleanup } from './erasure-cleanup.client.ts';
import { Closing } from './closing.client.ts';
import { CollectMyData } from './collect-my-data.job.ts';
import { CollectedFiles } from './collected-files.client.ts';
import { DiscardedFiles } from './discarded-files.client.ts';
import { EraseController } from './erase.controller.ts';
import { Erasing } from './erasing.client.ts';
import { ExportController } from './export.controller.ts';
import { SweepLeaving } from './sweep-leaving.job.ts';

@Module({
  controllers: [ExportController, EraseController],
  providers: [ErasureCleanup, Closing, CollectedFiles, CollectMyData, DiscardedFiles, Erasing, SweepLeaving],
})
export class LeavingModule {}
