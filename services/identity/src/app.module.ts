import { AuthModule } from '@caravan/auth/auth.module';
import { publicHistory } from '@caravan/event-store/rebuild/public-history';
import { MessagingModule } from '@caravan/messaging/messaging.module';
import type { ReadModel } from '@caravan/messaging/consumer/read-model';
import { Env } from '@caravan/service-kit/process/env';
import { ServiceKitModule } from '@caravan/service-kit/http/service-kit.module';
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
import { DeleteOldAuditEntries, deleteOldAuditEntries } from './audit/delete-old-audit-entries.job.ts';
import { StoreAuditLog } from './audit/store-audit-log.consumer.ts';
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
import { forgetErasedVotersSql } from './me/ballots.store.ts';
import { projectBallots, ProjectBallotsConsumer } from './me/project-ballots.consumer.ts';
import { MeController, OwnAccountController, OwnPhotoController } from './me/me.controller.ts';
import { OwnAccounts, WantedAddresses } from './me/own-account.service.ts';
import { OwnPhotos } from './me/own-photo.service.ts';
import { MembersController, TeamsController } from './membership/admin.controller.ts';
import { MemberAdmin, MemberNotifier } from './membership/admin.service.ts';
import { detailsOfMembers, namingOfTeams } from './membership/members.query.ts';
import { memberships, teams } from './membership/membership.store.ts';
import { RenameTeamsConsumer } from './membership/rename-teams.consumer.ts';
import { StoreDueNotices } from './notices/store-due-notices.consumer.ts';
import { MailDisconnections } from './notices/mail-disconnections.consumer.ts';
import * as noticeJobs from './notices/mail-notices.job.ts';
import { NoticeMails } from './notices/notice-mails.service.ts';
import { UnsubscribeController } from './notices/unsubscribe.controller.ts';
import { Unsubscribing } from './notices/unsubscribing.service.ts';
import { Operator } from './operator/operator.service.ts';
import { BrandingController, CompanyController, StreaksController } from './organisations/company.controller.ts';
import { Logos } from './organisations/logo.client.ts';
import { namingOfOrganisations, organisations } from './organisations/organisation.store.ts';
import { ProjectScoresConsumer } from './people/project-scores.consumer.ts';
import { settleScoresSql } from './people/scores.store.ts';
import { FollowController, PeopleController } from './people/people.controller.ts';
import { PushKeyPair } from './push/push-keys.service.ts';
import * as pushJobs from './push/push-notices.job.ts';
import { PushController } from './push/push.controller.ts';
import { WebPush } from './push/web-push.client.ts';
import {
  ForgotPasswordController,
  ResetPasswordController,
  UndoAddressController,
} from './recovery/recovery.controller.ts';
import { AddressUndo, OpenedLinks, PasswordLinks, PasswordReset } from './recovery/recovery.service.ts';
import * as resetMails from './recovery/reset-mails.job.ts';
import { DeleteEndedSessions, deleteEndedSessions } from './sessions/delete-ended-sessions.job.ts';
import {
  InternalSessionsController,
  LoginController,
  OwnSessionsController,
  SessionsController,
} from './sessions/sessions.controller.ts';
import { SessionEnds } from './sessions/session-ends.service.ts';
import { Credentials, SessionService, SessionStates } from './sessions/sessions.service.ts';
import { KeyRing, KeySchedule, keyScheduleOf } from './signing-keys/key-ring.service.ts';
import { SigningKeysController } from './signing-keys/signing-keys.controller.ts';

/** The tables that consumers write and that can be rebuilt. */
export const readModels: readonly ReadModel[] = [
  {
    name: 'scores',
    tables: ['member_scores', 'member_badges'],
    groups: ['identity.project-scores'],
    own: settleScoresSql,
  },
  {
    name: 'ballots',
    tables: ['open_ballots', 'ballot_voters'],
    groups: [projectBallots],
    own: [forgetErasedVotersSql],
  },
];

const account = 'accounts and what people do with them: this is where they are kept';

const told = 'what members were told by mail and push already: told again, they would be told twice';

/** Tables that nobody else can tell again, and why. */
export const ownTables: Readonly<Record<string, string>> = {
  organisations: 'names, brand and settings of organisations, which the log never holds',
  teams: 'names of teams, which the log never holds',
  persons: account,
  credentials: account,
  sessions: account,
  refresh_tokens: account,
  invites: account,
  signing_keys: account,
  password_resets: account,
  follows: account,
  exports: account,
  mails: account,
  reset_requests: account,
  discarded_objects: account,
  erased_sessions: account,
  unannounced_session_ends: account,
  email_confirmations: account,
  email_undos: account,
  due_notices: told,
  notice_mail_leases: told,
  pushes: told,
  push_subscriptions: 'where browsers take pushes, which they said here and nowhere else',
  push_keys: account,
  'audit.entries':
    'the audit log itself; acts of other services are entered once, like its own, and nothing takes them out',
};

/** What an operator can make again: of what is recorded here, what consumers wrote, and what others are told again. */
export const rebuildable = {
  kinds: [organisations, teams, memberships],
  readModels,
  history: [
    publicHistory(organisations, namingOfOrganisations),
    publicHistory(teams, namingOfTeams),
    publicHistory(memberships, detailsOfMembers),
  ],
};

const jobs = [
  deleteOldAuditEntries,
  mailJobs.sendMail,
  mailJobs.sweepMails,
  deleteEndedSessions,
  addressMails.mailConfirmation,
  addressMails.mailUndoLink,
  addressMails.sweepAddresses,
  resetMails.mailResetLink,
  resetMails.sweepResets,
  noticeJobs.mailNotices,
  noticeJobs.deleteOldNotices,
  pushJobs.pushNotices,
  pushJobs.deletePushEndpoints,
  exportJobs.collectMyData,
  exportJobs.sweepExports,
];

const controllers = [
  AuditController,
  StoreAuditLog,
  SigningKeysController,
  LoginController,
  SessionsController,
  InternalSessionsController,
  OwnSessionsController,
  BrandingController,
  CompanyController,
  StreaksController,
  MembersController,
  TeamsController,
  RenameTeamsConsumer,
  OwnEmailController,
  ConfirmationController,
  ForgotPasswordController,
  ResetPasswordController,
  UndoAddressController,
  SignUpController,
  InvitationsController,
  InvitesController,
  PeopleController,
  FollowController,
  ProjectScoresConsumer,
  MeController,
  OwnAccountController,
  OwnPhotoController,
  ProjectBallotsConsumer,
  StoreDueNotices,
  MailDisconnections,
  UnsubscribeController,
  PushController,
  ExportController,
  EraseController,
];

const providers = [
  OwnRefusals,
  DeleteOldAuditEntries,
  Smtp,
  MailService,
  mailJobs.SendMails,
  mailJobs.SweepMails,
  AccountMarks,
  Attempts,
  Passwords,
  OwnPassword,
  { provide: KeySchedule, inject: [Env], useFactory: keyScheduleOf },
  KeyRing,
  Credentials,
  SessionEnds,
  SessionService,
  SessionStates,
  DeleteEndedSessions,
  Logos,
  MemberAdmin,
  MemberNotifier,
  AddressService,
  AddressNotifier,
  addressMails.LinkMails,
  addressMails.MailConfirmation,
  addressMails.MailUndoLink,
  addressMails.SweepAddresses,
  PasswordLinks,
  OpenedLinks,
  PasswordReset,
  AddressUndo,
  resetMails.MailResetLink,
  resetMails.SweepResets,
  OrganisationProvisioner,
  OrganisationResolver,
  AccountCreation,
  SignUpService,
  OwnAccounts,
  OwnPhotos,
  WantedAddresses,
  Unsubscribing,
  NoticeMails,
  noticeJobs.MailNotices,
  PushKeyPair,
  WebPush,
  pushJobs.Pushes,
  pushJobs.PushNotices,
  OrganisationClosing,
  ErasureService,
  DiscardedFiles,
  ErasureCleanup,
  CollectedFiles,
  exportJobs.CollectMyData,
  exportJobs.ExportNotifier,
  exportJobs.SweepExports,
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
