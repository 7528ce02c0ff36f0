import type { Tx } from '@caravan/event-store/core/event-store';
import { afterCommit, withTenant } from '@caravan/event-store/postgres/connections';
import { HandlesJob } from '@caravan/service-kit/jobs/handles-job.decorator';
import { defineJob } from '@caravan/service-kit/jobs/job';
import { Jobs } from '@caravan/service-kit/jobs/jobs';
import { Pool } from '@caravan/service-kit/storage/pool';
import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import { confirmationsToMail, forgetUndosOver, undosToMail } from '../lookups/index.ts';
import { mailServer, MailService, newMailedToken, settledSeconds } from '../mail/index.ts';
import { linkHours } from './addresses.store.ts';

export const mailConfirmation = defineJob({
  name: 'identity.mail-confirmation',
  remadeBy: 'identity.sweep-addresses',
  data: z.object({ orgId: z.uuid(), userId: z.uuid(), askId: z.uuid() }),
  attempts: 10,
  needs: [mailServer],
});

type DueConfirmation = {
  readonly to: string;
  readonly name: string;
  readonly organization: string;
  readonly isOwn: boolean;
};

@Injectable()
export class MailConfirmation {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(MailService) private readonly mails: MailService,
  ) {}

  /** Each attempt makes a link of its own: what is mailed is written nowhere, and only the last one works. */
  @HandlesJob(mailConfirmation)
  async mail({ orgId, userId, askId }: z.infer<typeof mailConfirmation.data>): Promise<void> {
    const token = newMailedToken();
    const expiresAt = new Date(Date.now() + linkHours * 3_600_000);
    const { rows } = await withTenant(this.pool, orgId, (tx) =>
      tx.query<DueConfirmation>(
        `update email_confirmations c set token = $4, expires_at = $5
        from persons p join organisations o on o.org_id = p.org_id
          join credentials k on (k.org_id, k.user_id) = (p.org_id, p.user_id)
          join memberships m on (m.org_id, m.user_id) = (p.org_id, p.user_id)
        where (p.org_id, p.user_id) = (c.org_id, c.user_id) and (m.is_active or p.held_for <> '{}')
          and c.org_id = $1 and c.user_id = $2 and c.ask_id = $3 and c.mailed_at is null
        returning c.email as "to", p.name, o.name as organization, c.email_key = k.email_key as "isOwn"`,
        [orgId, userId, askId, token.hash, expiresAt],
      ),
    );
    const [due] = rows;
    if (!due) return;
    await this.mails.deliver({ about: 'confirm-address', ...due, token: token.text });
    await withTenant(this.pool, orgId, (tx) =>
      tx.query('update email_confirmations set mailed_at = now() where org_id = $1 and user_id = $2 and ask_id = $3', [
        orgId,
        userId,
        askId,
      ]),
    );
  }
}

export const mailUndo = defineJob({
  name: 'identity.mail-undo',
  remadeBy: 'identity.sweep-addresses',
  data: z.object({ orgId: z.uuid(), undoId: z.uuid() }),
  attempts: 10,
  needs: [mailServer],
});

type DueUndo = {
  readonly to: string;
  readonly name: string;
  readonly organization: string;
  readonly newEmail: string;
  readonly hasChanged: boolean;
};

@Injectable()
export class MailUndo {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(MailService) private readonly mails: MailService,
  ) {}

  @HandlesJob(mailUndo)
  async mail({ orgId, undoId }: z.infer<typeof mailUndo.data>): Promise<void> {
    const token = newMailedToken();
    const { rows } = await withTenant(this.pool, orgId, (tx) =>
      tx.query<DueUndo>(
        `update email_undos u set token = $3
        from persons p join organisations o on o.org_id = p.org_id
        where (p.org_id, p.user_id) = (u.org_id, u.user_id)
          and u.org_id = $1 and u.undo_id = $2 and u.mailed_at is null
        returning u.email as "to", p.name, o.name as organization, u.new_email as "newEmail",
          u.has_changed as "hasChanged"`,
        [orgId, undoId, token.hash],
      ),
    );
    const [due] = rows;
    if (!due) return;
    await this.mails.deliver({ about: 'undo-address', ...due, token: token.text });
    await withTenant(this.pool, orgId, (tx) =>
      tx.query('update email_undos set mailed_at = now() where org_id = $1 and undo_id = $2', [orgId, undoId]),
    );
  }
}

/** Mailed once the transaction has committed. Ids only: neither names nor addresses belong into Redis. Never throws. */
@Injectable()
export class LinkMails {
  constructor(@Inject(Jobs) private readonly jobs: Jobs) {}

  confirmation(tx: Tx, ask: { orgId: string; userId: string; askId: string }): void {
    afterCommit(tx, () => void this.jobs.enqueueOrKeep(mailConfirmation, ask, { key: ask.askId }));
  }

  undo(tx: Tx, undo: { orgId: string; undoId: string }): void {
    afterCommit(tx, () => void this.jobs.enqueueOrKeep(mailUndo, undo, { key: undo.undoId }));
  }
}

const sweepSeconds = 60;
const forgetAfterSeconds = 86_400;

export const sweepAddresses = defineJob({
  name: 'identity.sweep-addresses',
  data: z.object({}),
  attempts: 1,
  everySeconds: sweepSeconds,
});

/** Takes up mails whose job was never queued, was lost or has given up, and forgets undos that are over. */
@Injectable()
export class SweepAddresses {
  constructor(
    @Inject(Jobs) private readonly jobs: Jobs,
    @Inject(Pool) private readonly pool: Pool,
  ) {}

  @HandlesJob(sweepAddresses)
  async sweep(): Promise<void> {
    const before = (seconds: number) => new Date(Date.now() - seconds * 1_000);
    const waiting = { from: before(forgetAfterSeconds), to: before(settledSeconds) };
    await forgetUndosOver(this.pool, before(0));
    for (const due of await confirmationsToMail(this.pool, waiting))
      await this.jobs.enqueue(mailConfirmation, due, { key: due.askId });
    for (const due of await undosToMail(this.pool, waiting))
      await this.jobs.enqueue(mailUndo, due, { key: due.undoId });
  }
}
