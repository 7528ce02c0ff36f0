import { Global, Module } from '@nestjs/common';
import { Mailing } from '../ports.ts';
import { MailService } from './mail-service.client.ts';
import { SendMails } from './send-mails.job.ts';
import { Smtp } from './smtp.client.ts';
import { SweepMails } from './sweep-mails.job.ts';

@Global()
@Module({
  providers: [Smtp, MailService, { provide: Mailing, useExisting: MailService }, SendMails, SweepMails],
  exports: [Mailing],
})
export class MailModule {}
