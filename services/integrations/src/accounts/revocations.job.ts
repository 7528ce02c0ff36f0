import { withTenant } from '@caravan/event-store/postgres/connections';
import { HandlesJob } from '@caravan/service-kit/jobs/handles-job.decorator';
import { defineJob } from '@caravan/service-kit/jobs/job';
import { Pool } from '@caravan/service-kit/storage/pool';
import { type Sweep, Sweeps } from '@caravan/service-kit/jobs/sweeps';
import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import type { AccountName } from '../ports.ts';
import { type Provider, ProviderFailure, Providers, type Tokens } from '../providers/index.ts';
import * as store from './pending-revocations.store.ts';
import { dueRevocations, isConnectedAnew } from './pending-revocations.system.query.ts';
import { openTokens, sealTokens } from './sealed-tokens.ts';
import { TokenKeys } from './token-keys.service.ts';

export const sweepRevocations = defineJob({
  name: 'integrations.sweep-revocations',
  data: z.object({}),
  attempts: 1,
  concurrency: 1,
  everySeconds: 60,
});

const firstRestSeconds = 30;
const longestRestSeconds = 6 * 3_600;
/** A platform that has not answered for so long never will, and tokens are not held for ever. */
const givenUpAfterMilliseconds = 30 * 24 * 3_600_000;

/** Revokes ended permissions at the platform, from rows that stay until that has worked. */
@Injectable()
export class Revocations {
  private readonly sweep: Sweep;

  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(TokenKeys) private readonly keys: TokenKeys,
    @Inject(Providers) private readonly providers: Pick<Providers, 'of'>,
    @Inject(Sweeps) sweeps: Sweeps,
  ) {
    this.sweep = sweeps.of('integrations.revocations');
  }

  /** The tokens go from the account; the platform is told, later where it does not answer. Null: nothing is connected. */
  async revoke({ orgId, userId, provider }: AccountName): Promise<Provider | null> {
    const account = { orgId, userId, provider };
    const pending = await withTenant(this.pool, orgId, (tx) => store.revokeAccount(tx, account));
    if (pending === undefined) return null;
    if (pending) await this.attempt(pending);
    return this.providers.of(provider);
  }

  /** For a permission that was given and is not used here. */
  async revokeUnused(account: AccountName, providerUserId: string, tokens: Tokens): Promise<void> {
    const { orgId, userId, provider } = account;
    const sealed = sealTokens(this.keys, { orgId, userId, provider }, tokens);
    const pending = await withTenant(this.pool, orgId, (tx) =>
      store.insertRevocation(tx, account, { providerUserId, tokens: sealed }),
    );
    await this.attempt(pending);
  }

  /** Never rejects: what fails is found by the sweep. */
  async attempt(pending: store.RevocationRef): Promise<void> {
    await this.sweep.attempt(pending.revocationId, () => this.workOff(pending)).catch(() => undefined);
  }

  @HandlesJob(sweepRevocations)
  async sweepDue(): Promise<void> {
    await this.sweep.look(async () => {
      const due = await dueRevocations(this.pool, this.sweep.resting());
      await this.sweep.each(
        due,
        ({ revocationId }) => revocationId,
        (pending) => this.workOff(pending),
      );
    });
  }

  private async workOff(ref: store.RevocationRef): Promise<void> {
    const pending = await withTenant(this.pool, ref.orgId, (tx) => store.claimRevocation(tx, ref));
    if (!pending) return;
    const isAnew = await isConnectedAnew(this.pool, pending);
    const restSeconds = isAnew ? null : await this.tell(pending);
    await withTenant(this.pool, ref.orgId, (tx) =>
      restSeconds === null ? store.forgetRevocation(tx, ref) : store.postponeRevocation(tx, ref, restSeconds),
    );
  }

  /** Null: nothing is left to do. */
  private async tell(pending: store.Revocation): Promise<number | null> {
    const { orgId, userId, provider, revocationId, tries, requestedAt } = pending;
    const tokens = openTokens(this.keys, { orgId, userId, provider }, pending);
    if (!tokens) return null;
    try {
      await this.providers.of(provider).revoke(tokens);
      return null;
    } catch (error) {
      if (!(error instanceof ProviderFailure)) throw error;
      if (error.why === 'refused' || error.why === 'reconnect') return null;
      if (Date.now() - requestedAt.getTime() > givenUpAfterMilliseconds) {
        const facts = { event: 'revocation-given-up', orgId, provider, revocationId, tries };
        this.sweep.log.error(facts, 'a platform did not revoke a permission within 30 days');
        return null;
      }
      return Math.max(error.retryAfterSeconds ?? 0, Math.min(longestRestSeconds, firstRestSeconds * 2 ** (tries - 1)));
    }
  }
}
