import { AuthModule } from '@caravan/auth/auth.module';
import { MessagingModule } from '@caravan/messaging/messaging.module';
import { ServiceKitModule } from '@caravan/service-kit/service-kit.module';
import { type DynamicModule, Module } from '@nestjs/common';
import { AccountsModule } from './accounts/accounts.module.ts';
import { AccountMarks } from './account-mark.client.ts';
import { AddressesModule } from './addresses/addresses.module.ts';
import { mailConfirmation } from './addresses/mail-confirmation.job.ts';
import { mailUndo } from './addresses/mail-undo.job.ts';
import { sweepAddresses } from './addresses/sweep-addresses.job.ts';
import { Attempts } from './attempts.client.ts';
import { AuditModule } from './audit/audit.module.ts';
import { forgetOldEntries } from './audit/forget-old-entries.job.ts';
import { OwnRefusals } from './audit/own-refusals.client.ts';
import { DevicesModule } from './devices/devices.module.ts';
import type { IdentityEnv } from './env.ts';
import { collectMyData } from './leaving/collect-my-data.job.ts';
import { LeavingModule } from './leaving/leaving.module.ts';
import { sweepLeaving } from './leaving/sweep-leaving.job.ts';
import { MailModule } from './mail/mail.module.ts';
import { sendMail } from './mail/send-mails.job.ts';
import { sweepMails } from './mail/sweep-mails.job.ts';
import { InvitesModule } from './invites/invites.module.ts';
import { MeModule } from './me/me.module.ts';
import { MembersModule } from './members/members.module.ts';
import { MembershipModule } from './membership/membership.module.ts';
import { OrganisationsModule } from './organisations/organisations.module.ts';
import { OwnPassword } from './own-password.client.ts';
import { Passwords } from './passwords.client.ts';
import { PeopleModule } from './people/people.module.ts';
import { mailResetLink } from './resetting/mail-reset-link.job.ts';
import { ResettingModule } from './resetting/resetting.module.ts';
import { sweepResets } from './resetting/sweep-resets.job.ts';
import { ScoresModule } from './scores/scores.module.ts';
import { forgetEndedSessions } from './sessions/forget-ended-sessions.job.ts';
import { SessionStates } from './sessions/session-states.client.ts';
import { SessionsModule } from './sessions/sessions.module.ts';
import { KeyRing } from './signing-keys/key-ring.client.ts';
import { SigningKeysModule } from './signing-keys/signing-keys.module.ts';
import { TeamsModule } from './teams/teams.module.ts';

@Module({})
export class AppModule {
  static forRoot(env: IdentityEnv): DynamicModule {
    return {
      module: AppModule,
      // What several features use: passwords and the counting of attempts.
      global: true,
      imports: [
        ServiceKitModule.forRoot(env, {
          jobs: [
            ...[forgetEndedSessions, sendMail, sweepMails, mailResetLink, sweepResets, collectMyData, sweepLeaving],
            forgetOldEntries,
            ...[mailConfirmation, mailUndo, sweepAddresses],
          ],
        }),
        AuthModule.forRoot(env, { keys: KeyRing, sessions: SessionStates, refusals: OwnRefusals }),
        MessagingModule.forRoot(env),
        SigningKeysModule,
        AuditModule,
        MailModule,
        AddressesModule,
        SessionsModule,
        OrganisationsModule,
        MembershipModule,
        ScoresModule,
        TeamsModule,
        MembersModule,
        InvitesModule,
        MeModule,
        PeopleModule,
        AccountsModule,
        ResettingModule,
        DevicesModule,
        LeavingModule,
      ],
      providers: [AccountMarks, Passwords, OwnPassword, Attempts],
      exports: [AccountMarks, Passwords, OwnPassword, Attempts],
    };
  }
}
