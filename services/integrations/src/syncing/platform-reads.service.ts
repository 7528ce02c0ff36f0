import { withTenant } from '@caravan/event-store/postgres/connections';
import { Pool } from '@caravan/service-kit/storage/pool';
import { Inject, Injectable } from '@nestjs/common';
import { type Account, clock, type Observation, unlisted } from '../importing/index.ts';
import { type AccountName, AccountTokens } from '../ports.ts';
import { type Provider, ProviderFailure, Providers, type Purpose } from '../providers/index.ts';
import { Rows } from '../rows/index.ts';

type Span = { readonly from: Date; readonly to: Date };
type Known = Account & {
  readonly lastSyncedAt: Date | null;
  /** Its member is deactivated: nothing is asked for them. */
  readonly isPaused: boolean;
};
type Stretch = Span & {
  /** Null: it has not been begun. */
  readonly beganAt: Date | null;
  readonly cursor: string | null;
};
type Read = {
  readonly observations: readonly Observation[];
  readonly unreadable: number;
  /** Undefined: it was the last page. */
  readonly next: string | undefined;
  readonly beganAt: Date;
};

const mostPages = 50;

/** What platforms have, asked with a member's own token. Fails with `ProviderFailure`. */
@Injectable()
export class PlatformReads {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(Rows) private readonly rows: Rows,
    @Inject(Providers) private readonly providers: Pick<Providers, 'of'>,
    @Inject(AccountTokens) private readonly tokens: AccountTokens,
  ) {}

  /** Undefined: it is not connected. */
  async accountOf({ orgId, userId, provider }: AccountName): Promise<Known | undefined> {
    const { providerAccount, deactivatedMember } = this.rows.of(orgId);
    const [row, pauses] = await Promise.all([
      providerAccount.findFirst({
        where: { orgId, userId, provider, state: 'connected' },
        select: { connectedAt: true, lastSyncedAt: true },
      }),
      deactivatedMember.count({ where: { orgId, userId } }),
    ]);
    if (!row) return undefined;
    return { orgId, userId, provider, audience: this.providers.of(provider).audience, isPaused: pauses > 0, ...row };
  }

  /** The next page of a stretch; with the last one what is known and no longer listed. */
  async readPage(account: Account, { from, to, beganAt, cursor }: Stretch, purpose: Purpose): Promise<Read> {
    const seenAt = await this.now(account);
    const asked = { from, to, purpose, ...(cursor !== null && { cursor }) };
    const page = await this.ask(account, (provider, token) => provider.list(token, asked));
    const listed = page.workouts.map((workout) => ({ externalId: workout.externalId, seenAt, workout }));
    const began = beganAt ?? seenAt;
    const missing = page.next === undefined ? await this.missing(account, { from, to, since: began }, listed) : [];
    return {
      observations: [...listed, ...(await this.readAll(account, missing, purpose))],
      unreadable: page.unreadable,
      next: page.next,
      beganAt: began,
    };
  }

  /** All of a span at once, for one that is short. */
  async readBetween(account: Account, span: Span, purpose: Purpose): Promise<Observation[]> {
    const observations: Observation[] = [];
    let stretch: Stretch = { ...span, beganAt: null, cursor: null };
    for (let pages = 0; pages < mostPages; pages += 1) {
      const { next, beganAt, ...page } = await this.readPage(account, stretch, purpose);
      observations.push(...page.observations);
      if (next === undefined) break;
      stretch = { ...span, beganAt, cursor: next };
    }
    return observations;
  }

  /** Each as it is now: lists are late and their pages shift, a single answer is sure. */
  async readAll(account: Account, externalIds: readonly string[], purpose: Purpose): Promise<Observation[]> {
    const observations: Observation[] = [];
    for (const externalId of externalIds) {
      const seenAt = await this.now(account);
      const workout = await this.ask(account, (provider, token) => provider.read(token, externalId, purpose));
      observations.push({ externalId, seenAt, workout: workout ?? null });
    }
    return observations;
  }

  /** What is known of a stretch, and was not seen since it was begun to be read. */
  private async missing(account: Account, stretch: Span & { since: Date }, listed: readonly Observation[]) {
    const here = new Set(listed.map(({ externalId }) => externalId));
    const known = await withTenant(this.pool, account.orgId, (tx) => unlisted(tx, account, stretch));
    return known.filter((externalId) => !here.has(externalId));
  }

  /** A token that is refused may have been renewed elsewhere, or have ended early: the next one decides. */
  private async ask<Answer>(
    account: AccountName,
    question: (provider: Provider, token: string) => Promise<Answer>,
  ): Promise<Answer> {
    const provider = this.providers.of(account.provider);
    const token = await this.tokens.accessTokenOf(account);
    try {
      return await question(provider, token);
    } catch (error) {
      if (!(error instanceof ProviderFailure) || error.why !== 'reconnect') throw error;
      await this.tokens.handleRefusal(account, token);
      return question(provider, await this.tokens.accessTokenOf(account));
    }
  }

  private now({ orgId }: AccountName): Promise<Date> {
    return withTenant(this.pool, orgId, clock);
  }
}
