import { randomUUID } from 'node:crypto';
import { Log } from '@caravan/service-kit/telemetry/log';
import { Inject, Injectable } from '@nestjs/common';
import { type Counts, ImportsService } from '../importing/index.ts';
import type { AccountName } from '../ports.ts';
import { type FailureReason, ProviderFailure } from '../providers/index.ts';
import type { RunRef } from './catch-ups.store.ts';
import { PlatformReads } from './platform-reads.service.ts';
import { type BegunCause, failureOf, isOver, purposeOf, restSeconds, type Run, stretchOf } from './run.ts';
import { Runs } from './runs.service.ts';
import * as store from './runs.store.ts';

export type Outcome = {
  readonly imported: number;
  readonly failure: { readonly why: FailureReason; readonly retryAfterSeconds: number | undefined } | null;
};

/** Fetches what platforms have, page by page; whoever dies is followed by another one where they stood. */
@Injectable()
export class Syncing {
  constructor(
    @Inject(PlatformReads) private readonly platforms: PlatformReads,
    @Inject(ImportsService) private readonly imports: ImportsService,
    @Inject(Runs) private readonly runs: Runs,
    @Inject(Log) private readonly log: Log,
  ) {}

  /** Undefined: it is not connected. The caller enqueues it, or carries it on. */
  async begin(name: AccountName, cause: BegunCause): Promise<RunRef | undefined> {
    const account = await this.platforms.accountOf(name);
    if (!account || account.isPaused) return undefined;
    const ref = { orgId: account.orgId, runId: randomUUID() };
    await this.runs.begin({ ...account, ...ref, cause });
    return ref;
  }

  /**
   * Until it is over, waits for its platform, or time is up; undefined when somebody else is at it.
   * @param until on the clock of `performance.now()`: somebody waits for it and will not wait for another attempt
   */
  async carryOn(ref: RunRef, until?: number): Promise<Outcome | undefined> {
    let run = await this.runs.claim(ref);
    if (!run) return undefined;
    let imported = 0;
    try {
      while (!isOver(run)) {
        if (until !== undefined && performance.now() > until) return await this.leave(run, imported);
        const step = await this.step(run);
        imported += step.counts.imported;
        run = step.run;
      }
      await this.runs.end(run, null);
      return { imported, failure: null };
    } catch (error) {
      if (error instanceof store.Overtaken) return undefined;
      if (error instanceof Paused) return await this.leave(run, imported);
      if (!(error instanceof ProviderFailure)) throw error;
      await this.handleFailure(run, error, until !== undefined);
      return { imported, failure: { why: error.why, retryAfterSeconds: error.retryAfterSeconds } };
    }
  }

  /** A page, and how far the run is with it, in one transaction. */
  private async step(run: Run): Promise<{ run: Run; counts: Counts }> {
    const account = await this.platforms.accountOf(run);
    if (!account) throw new ProviderFailure('reconnect', 'the account is not connected');
    if (account.isPaused) throw new Paused();
    const { from, to } = stretchOf(run);
    const stretch = { from, to, beganAt: run.stretchBeganAt, cursor: run.cursor };
    const read = await this.platforms.readPage(account, stretch, purposeOf[run.cause]);
    const progress: store.Progress =
      read.next === undefined
        ? { reachedAt: from, stretchBeganAt: null, cursor: null }
        : { reachedAt: run.reachedAt, stretchBeganAt: read.beganAt, cursor: read.next };
    const counts = await this.imports.see(account, read.observations, (tx, made) =>
      store.advance(tx, run, progress, withUnreadable(made, read.unreadable)),
    );
    return { run: { ...run, ...progress, tries: 0 }, counts };
  }

  private async handleFailure(run: Run, { why, retryAfterSeconds, message }: ProviderFailure, isAwaited: boolean) {
    const seconds = isAwaited ? null : restSeconds(why, run.tries, retryAfterSeconds);
    this.log.warn({ why, message, runId: run.runId, tries: run.tries, againInSeconds: seconds }, 'a sync failed');
    if (seconds === null) await this.runs.end(run, failureOf(why));
    else await this.runs.postpone(run, seconds, failureOf(why));
  }

  private async leave(run: Run, imported: number): Promise<Outcome> {
    await this.runs.postpone(run, 0, null);
    return { imported, failure: null };
  }
}

/** Its member was deactivated; the run goes on once they are back. */
class Paused extends Error {}

const withUnreadable = (counts: Counts, unreadable: number): Counts =>
  unreadable === 0
    ? counts
    : { ...counts, skipped: { ...counts.skipped, unreadable: (counts.skipped.unreadable ?? 0) + unreadable } };
