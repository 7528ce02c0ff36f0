import { AuthModule } from '@caravan/auth/auth.module';
import { MessagingModule } from '@caravan/messaging/messaging.module';
import { Env } from '@caravan/service-kit/env';
import { ServiceKitModule } from '@caravan/service-kit/service-kit.module';
import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import { OrganisationResolver } from './accounts/organisation-resolver.service.ts';
import { InvitationsController, SignUpController } from './accounts/sign-up.controller.ts';
import { AccountCreation, OrganisationProvisioner, SignUpService } from './accounts/sign-up.service.ts';
import * as addressMails from './addresses/address-mails.job.ts';
import { AddressNotifier, AddressService } from './addresses/addresses.service.ts';
import { ConfirmationController, OwnEmailController } from './addresses/email.controller.ts';
import { AuditController } from './audit/audit.controller.ts';
import { OwnRefusals } from './audit/audit.store.ts';
import { ForgetOldEntries, forgetOldEntries } from './audit/forget-old-entries.job.ts';
import { KeepAuditLog } from './audit/keep-audit-log.consumer.ts';
import { Attempts } from './credentials/attempts.service.ts';
import { AccountMarks } from './credentials/known-devices.service.ts';
import { OwnPassword, Passwords } from './credentials/passwords.service.ts';
import type { IdentityEnv } from './env.ts';
import { InvitesController } from './invites/invites.controller.ts';
import { CollectedFiles } from './leaving/collected-files.service.ts';
import { DiscardedFiles, ErasureCleanup, ErasureService, OrganisationClosing } from './leaving/erasure.service.ts';
import * as exportJobs from './leaving/exports.job.ts';
import { EraseController, ExportController } from './leaving/leaving.controller.ts';
import { MailService } from './mail/mail.service.ts';
import * as mailJobs from './mail/mails.job.ts';
import { Smtp } from './mail/smtp.client.ts';
import { MeController, OwnAccountController } from './me/me.controller.ts';
import { OwnAccounts, WantedAddresses } from './me/own-account.service.ts';
import { MembersController, TeamsController } from './membership/admin.controller.ts';
import { MemberAdmin, MemberNotifier } from './membership/admin.service.ts';
import { memberships, teams } from './membership/membership.store.ts';
import { Operator } from './operator/operator.service.ts';
import { BrandingController, CompanyController, StreaksController } from './organisations/company.controller.ts';
import { Logos } from './organisations/logo.client.ts';
import { organisations } from './organisations/organisation.store.ts';
import { KeepScoresConsumer } from './people/keep-scores.consumer.ts';
import { PeopleController } from './people/people.controller.ts';
import {
  ForgotPasswordController,
  ResetPasswordController,
  UndoAddressController,
} from './recovery/recovery.controller.ts';
import { AddressUndo, OpenedLinks, PasswordLinks, PasswordReset } from './recovery/recovery.service.ts';
import * as resetMails from './recovery/reset-mails.job.ts';
import { ForgetEndedSessions, forgetEndedSessions } from './sessions/forget-ended-sessions.job.ts';
import {
  InternalSessionsController,
  LoginController,
  OwnSessionsController,
  SessionsController,
} from './sessions/sessions.controller.ts';
import { Credentials, SessionService, SessionStates } from './sessions/sessions.service.ts';
import { KeyRing, KeySchedule, keyScheduleOf } from './signing-keys/key-ring.service.ts';
import { SigningKeysController } from './signing-keys/signing-keys.controller.ts';

/** Everything that this service records: what a rebuild reads. */
export const streamKinds = [organisations, teams, memberships];

const jobs = [
  forgetOldEntries,
  ...[mailJobs.sendMail, mailJobs.sweepMails],
  forgetEndedSessions,
  ...[addressMails.mailConfirmation, addressMails.mailUndo, addressMails.sweepAddresses],
  ...[resetMails.mailResetLink, resetMails.sweepResets],
  ...[exportJobs.collectMyData, exportJobs.sweepLeaving],
];

const controllers = [
  ...[AuditController, KeepAuditLog],
  SigningKeysController,
  ...[LoginController, SessionsController, InternalSessionsController, OwnSessionsController],
  ...[BrandingController, CompanyController, StreaksController],
  ...[MembersController, TeamsController],
  ...[OwnEmailController, ConfirmationController],
  ...[ForgotPasswordController, ResetPasswordController, UndoAddressController],
  ...[SignUpController, InvitationsController, InvitesController],
  ...[PeopleController, KeepScoresConsumer],
  ...[MeController, OwnAccountController],
  ...[ExportController, EraseController],
];

const providers = [
  ...[OwnRefusals, ForgetOldEntries],
  ...[Smtp, MailService, mailJobs.SendMails, mailJobs.SweepMails],
  ...[AccountMarks, Attempts, Passwords, OwnPassword],
  ...[{ provide: KeySchedule, inject: [Env], useFactory: keyScheduleOf }, KeyRing],
  ...[Credentials, SessionService, SessionStates, ForgetEndedSessions],
  Logos,
  ...[MemberAdmin, MemberNotifier],
  ...[AddressService, AddressNotifier],
  ...[addressMails.LinkMails, addressMails.MailConfirmation, addressMails.MailUndo, addressMails.SweepAddresses],
  ...[PasswordLinks, OpenedLinks, PasswordReset, AddressUndo, resetMails.MailResetLink, resetMails.SweepResets],
  ...[OrganisationProvisioner, OrganisationResolver, AccountCreation, SignUpService],
  ...[OwnAccounts, WantedAddresses],
  ...[OrganisationClosing, ErasureService, DiscardedFiles, ErasureCleanup],
  ...[CollectedFiles, exportJobs.CollectMyData, exportJobs.SweepLeaving],
  Operator,
];

@Module({})
export class AppModule {
  static forRoot(env: IdentityEnv): DynamicModule {
    return {
      module: AppModule,
      // Tokens are checked by what this service itself knows of keys and sessions.
      global: true,
      imports: [
        ServiceKitModule.forRoot(env, { jobs }),
        AuthModule.forRoot(env, { keys: KeyRing, sessions: SessionStates, refusals: OwnRefusals }),
        MessagingModule.forRoot(env),
      ],
      controllers,
      providers,
      exports: [KeyRing, SessionStates, OwnRefusals],
    };
  }
}
