import { Global, Module } from '@nestjs/common';
import { Addresses } from '../ports.ts';
import { AddressNews } from './address-news.client.ts';
import { EmailAddresses } from './email-addresses.client.ts';
import { LinkMails } from './link-mails.client.ts';
import { MailConfirmation } from './mail-confirmation.job.ts';
import { MailUndo } from './mail-undo.job.ts';
import { MailedLinksController } from './mailed-links.controller.ts';
import { OwnEmailController } from './own-email.controller.ts';
import { SweepAddresses } from './sweep-addresses.job.ts';
import { Undoing } from './undoing.client.ts';

@Global()
@Module({
  controllers: [MailedLinksController, OwnEmailController],
  providers: [
    EmailAddresses,
    { provide: Addresses, useExisting: EmailAddresses },
    ...[Undoing, LinkMails, AddressNews],
    MailConfirmation,
    MailUndo,
    SweepAddresses,
  ],
  exports: [Addresses],
})
export class AddressesModule {}
