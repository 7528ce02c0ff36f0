import { Module } from '@nestjs/common';
import { ForgotPasswordController } from './forgot-password.controller.ts';
import { MailResetLink } from './mail-reset-link.job.ts';
import { NewPassword } from './new-password.client.ts';
import { ResetPasswordController } from './reset-password.controller.ts';
import { SweepResets } from './sweep-resets.job.ts';

@Module({
  controllers: [ForgotPasswordController, ResetPasswordController],
  providers: [MailResetLink, NewPassword, SweepResets],
})
export class ResettingModule {}
