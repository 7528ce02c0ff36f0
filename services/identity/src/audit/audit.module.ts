import { Global, Module } from '@nestjs/common';
import { AuditController } from './audit.controller.ts';
import { ForgetOldEntries } from './forget-old-entries.job.ts';
import { KeepAuditLog } from './keep-audit-log.consumer.ts';
import { OwnRefusals } from './own-refusals.client.ts';

@Global()
@Module({
  controllers: [AuditController, KeepAuditLog],
  providers: [ForgetOldEntries, OwnRefusals],
  exports: [OwnRefusals],
})
export class AuditModule {}
