import { randomUUID } from 'node:crypto';
import { withTenant } from '@caravan/event-store/postgres';
import { Log } from '@caravan/service-kit/log';
import { Pool } from '@caravan/service-kit/pool';
import { Inject, Injectable } from '@nestjs/common';
import { type Account, clock, type Counts, ImportsService, type Observation, unlisted } from '../importing/index.ts';
import { type AccountName, AccountTokens } from '../ports.ts';
import { type FailureReason, ProviderFailure, Providers, type Purpose } from '../providers/index.ts';
import { Rows } from '../rows/index.ts';
import { type Cause, failureOf, isOver, purposeOf, restSeconds, type Run, spanOf, stretchOf } from './run.ts';
import * as store from './runs.store.ts';

export type Outcome = {
  readonly imported: number;
  readonly failure: { readonly why: FailureReason; readonly retryAfterSeconds: number | undefined } | null;
};

type Known = Account & { readonly lastSyncedAt: Date | null };

/** Fetches what platforms have, page by page; whoever dies is followed by another one where they stood. */
@Injectable()
export class Syncing {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(Rows) private readonly rows: Rows,
    @Inject(Providers) private readonly providers: Pick<Providers, 'of'>,
    @Inject(AccountTokens) private readonly tokens: AccountTokens,
    @Inject(ImportsService) private readonly imports: ImportsService,
    @Inject(Log) private readonly log: Log,
  ) {}

  /** Undefined: it is not connected. */
  async accountOf({ orgId, userId, provider }: AccountName): Promise<Known | undefined> {
    const row = await this.rows.of(orgId).providerAccount.findFirst({
      where: { orgId, userId, provider, state: 'connected' },
      select: { connectedAt: true, lastSyncedAt: true },
    });
    return row ? { orgId, userId, provider, audience: this.providers.of(provider).audience, ...row } : undefined;
  }

  /** Undefined: it is not connected. The caller enqueues it, or carries it on. */
  async begin(name: AccountName, cause: Exclude<Cause, 'notice'>): Promise<store.RunRef | undefined> {
    const account = await this.accountOf(name);
    if (!account) return undefined;
    const { orgId, userId, provider } = account;
    const ref = { orgId, runId: randomUUID() };
    await withTenant(this.pool, orgId, async (tx) => {
      const now = await clock(tx);
      await store.beginRun(tx, { ...ref, userId, provider, cause, now, ...spanOf(cause, account, now) });
    });
    return ref;
  }

  /**
   * Until it is over, waits for its platform, or time is up; undefined when somebody else is at it.
   * @param until on the clock of `performance.now()`: somebody waits for it and will not wait for another attempt
   */
  async carryOn(ref: store.RunRef, until?: number): Promise<Outcome | undefined> {
    let run = await withTenant(this.pool, ref.orgId, (tx) => store.claimRun(tx, ref));
    if (!run) return undefined;
    let imported = 0;
    try {
      while (!isOver(run)) {
        if (until !== undefined && performance.now() > until) return await this.leave(run, imported);
        const step = await this.step(run);
        imported += step.counts.imported;
        run = step.run;
      }
      await this.end(run, null);
      return { imported, failure: null };
    } catch (error) {
      if (error instanceof store.Overtaken) return undefined;
      if (!(error instanceof ProviderFailure)) throw error;
      await this.failed(run, error, until !== undefined);
      return { imported, failure: { why: error.why, retryAfterSeconds: error.retryAfterSeconds } };
    }
  }

  /** A page of the platform's list; with the last one of a stretch what it no longer has. */
  private async step(run: Run): Promise<{ run: Run; counts: Counts }> {
    const account = await this.accountOf(run);
    if (!account) throw new ProviderFailure('reconnect', 'the account is not connected');
    const seenAt = await withTenant(this.pool, run.orgId, clock);
    const since = run.stretchBeganAt ?? seenAt;
    const stretch = stretchOf(run);
    const provider = this.providers.of(run.provider);
    const purpose = purposeOf[run.cause];
    const page = await this.withToken(account, (token) =>
      provider.list(token, { ...stretch, purpose, ...(run.cursor !== null && { cursor: run.cursor }) }),
    );
    const listed = page.workouts.map((workout) => ({ externalId: workout.externalId, seenAt, workout }));
    const missing = page.next === undefined ? await this.unlistedOf(account, { ...stretch, since }, listed) : [];
    const asked = await this.readAll(account, missing, purpose);
    const next: store.Progress =
      page.next === undefined
        ? { reachedAt: stretch.from, stretchBeganAt: null, cursor: null }
        : { reachedAt: run.reachedAt, stretchBeganAt: since, cursor: page.next };
    const counts = await this.imports.see(account, [...listed, ...asked], (tx, made) =>
      store.advance(tx, run, next, withUnreadable(made, page.unreadable)),
    );
    return { run: { ...run, ...next }, counts };
  }

  private async unlistedOf(
    account: Account,
    stretch: { from: Date; to: Date; since: Date },
    listed: readonly Observation[],
  ): Promise<string[]> {
    const here = new Set(listed.map(({ externalId }) => externalId));
    const known = await withTenant(this.pool, account.orgId, (tx) => unlisted(tx, account, stretch));
    return known.filter((externalId) => !here.has(externalId));
  }

  /** Each as it is now: lists are late and pages shift, a single answer is sure. */
  async readAll(account: Account, externalIds: readonly string[], purpose: Purpose): Promise<Observation[]> {
    const provider = this.providers.of(account.provider);
    const observations: Observation[] = [];
    for (const externalId of externalIds) {
      const seenAt = await withTenant(this.pool, account.orgId, clock);
      const workout = await this.withToken(account, (token) => provider.read(token, externalId, purpose));
      observations.push({ externalId, seenAt, workout: workout ?? null });
    }
    return observations;
  }

  /** All of a span, with what it should have and has not. */
  async readBetween(account: Account, { from, to }: { from: Date; to: Date }, purpose: Purpose) {
    const provider = this.providers.of(account.provider);
    const listed: Observation[] = [];
    const since = await withTenant(this.pool, account.orgId, clock);
    for (let cursor: string | undefined, pages = 0; pages < mostPages; pages += 1) {
      const seenAt = await withTenant(this.pool, account.orgId, clock);
      const asked = { from, to, purpose, ...(cursor !== undefined && { cursor }) };
      const page = await this.withToken(account, (token) => provider.list(token, asked));
      listed.push(...page.workouts.map((workout) => ({ externalId: workout.externalId, seenAt, workout })));
      cursor = page.next;
      if (cursor === undefined) break;
    }
    const missing = await this.unlistedOf(account, { from, to, since }, listed);
    return [...listed, ...(await this.readAll(account, missing, purpose))];
  }

  /** A token that is refused may have been renewed elsewhere, or have ended early: the next one decides. */
  async withToken<Answer>(account: AccountName, ask: (token: string) => Promise<Answer>): Promise<Answer> {
    const token = await this.tokens.accessTokenOf(account);
    try {
      return await ask(token);
    } catch (error) {
      if (!(error instanceof ProviderFailure) || error.why !== 'reconnect') throw error;
      await this.tokens.refused(account, token);
      return ask(await this.tokens.accessTokenOf(account));
    }
  }

  private async failed(run: Run, { why, retryAfterSeconds, message }: ProviderFailure, isAwaited: boolean) {
    const seconds = isAwaited ? null : restSeconds(why, run.tries, retryAfterSeconds);
    this.log.warn({ why, message, runId: run.runId, tries: run.tries, againInSeconds: seconds }, 'a sync failed');
    if (seconds === null) await this.end(run, failureOf(why));
    else await withTenant(this.pool, run.orgId, (tx) => store.postpone(tx, run, seconds, failureOf(why)));
  }

  private async leave(run: Run, imported: number): Promise<Outcome> {
    await withTenant(this.pool, run.orgId, (tx) => store.postpone(tx, run, 0, null));
    return { imported, failure: null };
  }

  private end(run: Run, failure: ReturnType<typeof failureOf> | null): Promise<void> {
    return withTenant(this.pool, run.orgId, (tx) => store.endRun(tx, run, failure));
  }
}

const mostPages = 50;

const withUnreadable = (counts: Counts, unreadable: number): Counts =>
  unreadable === 0
    ? counts
    : { ...counts, skipped: { ...counts.skipped, unreadable: (counts.skipped.unreadable ?? 0) + unreadable } };
