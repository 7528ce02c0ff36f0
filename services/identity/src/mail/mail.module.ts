import { Global, Module } from '@nestjs/common';
import { Mailing } from '../doors.ts';
import { Letters } from './mailing.client.ts';
import { SendMails } from './send-mails.job.ts';
import { Smtp } from './smtp.client.ts';
import { SweepMails } from './sweep-mails.job.ts';

@Global()
@Module({
  providers: [Smtp, Letters, { provide: Mailing, useExisting: Letters }, SendMails, SweepMails],
  exports: [Mailing],
})
export class MailModule {}
