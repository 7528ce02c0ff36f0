import type { Tx } from '@caravan/event-store/core/event-store';
import { afterCommit, withTenant } from '@caravan/event-store/postgres/connections';
import { HandlesJob } from '@caravan/service-kit/jobs/handles-job.decorator';
import { defineJob } from '@caravan/service-kit/jobs/job';
import { Jobs } from '@caravan/service-kit/jobs/jobs';
import { Pool } from '@caravan/service-kit/storage/pool';
import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import { mailServer, MailService, newMailedToken, settledSeconds } from '../mail/index.ts';
import {
  markConfirmationMailed,
  markUndoMailed,
  storeConfirmationToken,
  storeUndoToken,
} from './address-links.store.ts';
import { linkHours } from './addresses.store.ts';
import { confirmationsToMail, forgetUndosOver, undosToMail } from './addresses.system.store.ts';

export const mailConfirmation = defineJob({
  name: 'identity.mail-confirmation',
  remadeBy: 'identity.sweep-addresses',
  data: z.object({ orgId: z.uuid(), userId: z.uuid(), requestId: z.uuid() }),
  attempts: 10,
  needs: [mailServer],
});

@Injectable()
export class MailConfirmation {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(MailService) private readonly mails: MailService,
  ) {}

  /** Each attempt makes a link of its own: what is mailed is written nowhere, and only the last one works. */
  @HandlesJob(mailConfirmation)
  async mail(ask: z.infer<typeof mailConfirmation.data>): Promise<void> {
    const token = newMailedToken();
    const expiresAt = new Date(Date.now() + linkHours * 3_600_000);
    const due = await withTenant(this.pool, ask.orgId, (tx) =>
      storeConfirmationToken(tx, ask, { tokenHash: token.hash, expiresAt }),
    );
    if (!due) return;
    await this.mails.deliver({ about: 'confirm-address', ...due, token: token.text });
    await withTenant(this.pool, ask.orgId, (tx) => markConfirmationMailed(tx, ask));
  }
}

export const mailUndoLink = defineJob({
  name: 'identity.mail-undo-link',
  remadeBy: 'identity.sweep-addresses',
  data: z.object({ orgId: z.uuid(), undoId: z.uuid() }),
  attempts: 10,
  needs: [mailServer],
});

@Injectable()
export class MailUndoLink {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(MailService) private readonly mails: MailService,
  ) {}

  @HandlesJob(mailUndoLink)
  async mail(undo: z.infer<typeof mailUndoLink.data>): Promise<void> {
    const token = newMailedToken();
    const due = await withTenant(this.pool, undo.orgId, (tx) => storeUndoToken(tx, undo, token.hash));
    if (!due) return;
    await this.mails.deliver({ about: 'undo-address', ...due, token: token.text });
    await withTenant(this.pool, undo.orgId, (tx) => markUndoMailed(tx, undo));
  }
}

/** Mailed once the transaction has committed. Ids only: neither names nor addresses belong into Redis. Never throws. */
@Injectable()
export class LinkMails {
  constructor(@Inject(Jobs) private readonly jobs: Jobs) {}

  confirmation(tx: Tx, ask: { orgId: string; userId: string; requestId: string }): void {
    afterCommit(tx, () => void this.jobs.enqueueOrKeep(mailConfirmation, ask, { key: ask.requestId }));
  }

  undo(tx: Tx, undo: { orgId: string; undoId: string }): void {
    afterCommit(tx, () => void this.jobs.enqueueOrKeep(mailUndoLink, undo, { key: undo.undoId }));
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
      await this.jobs.enqueue(mailConfirmation, due, { key: due.requestId });
    for (const due of await undosToMail(this.pool, waiting))
      await this.jobs.enqueue(mailUndoLink, due, { key: due.undoId });
  }
}
