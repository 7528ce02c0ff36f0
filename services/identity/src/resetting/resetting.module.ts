import { Global, Module } from '@nestjs/common';
import { PasswordLinks } from '../ports.ts';
import { ForgotPasswordController } from './forgot-password.controller.ts';
import { MailResetLink } from './mail-reset-link.job.ts';
import { NewPassword } from './new-password.client.ts';
import { OpenedLinks } from './opened-link.client.ts';
import { MailedPasswordLinks } from './password-links.client.ts';
import { ResetPasswordController } from './reset-password.controller.ts';
import { SweepResets } from './sweep-resets.job.ts';

@Global()
@Module({
  controllers: [ForgotPasswordController, ResetPasswordController],
  providers: [
    MailResetLink,
    NewPassword,
    OpenedLinks,
    SweepResets,
    { provide: PasswordLinks, useClass: MailedPasswordLinks },
  ],
  exports: [PasswordLinks],
})
export class ResettingModule {}
