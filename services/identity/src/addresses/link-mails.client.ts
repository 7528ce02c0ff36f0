import { Jobs } from '@caravan/service-kit/jobs';
import { Log } from '@caravan/service-kit/log';
import { Inject, Injectable } from '@nestjs/common';
import { mailConfirmation } from './mail-confirmation.job.ts';
import { mailUndo } from './mail-undo.job.ts';

// By then the transaction that asks for a mail has nearly always committed; otherwise the sweep takes it up.
const delaySeconds = 1;

/** Queues the mails with links: ids only, neither names nor addresses of people belong into Redis. Never throws. */
@Injectable()
export class LinkMails {
  constructor(
    @Inject(Jobs) private readonly jobs: Jobs,
    @Inject(Log) private readonly log: Log,
  ) {}

  confirmation(ask: { orgId: string; userId: string; askId: string }): void {
    this.settle(this.jobs.enqueue(mailConfirmation, ask, { key: ask.askId, delaySeconds }));
  }

  undo(undo: { orgId: string; undoId: string }): void {
    this.settle(this.jobs.enqueue(mailUndo, undo, { key: undo.undoId, delaySeconds }));
  }

  private settle(queued: Promise<void>): void {
    queued.catch((error: unknown) => this.log.warn({ err: error }, 'a mail with a link waits for the next sweep'));
  }
}
