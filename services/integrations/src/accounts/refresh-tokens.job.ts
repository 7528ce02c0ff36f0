import { HandlesJob } from '@caravan/service-kit/jobs/handles-job.decorator';
import { defineJob } from '@caravan/service-kit/jobs/job';
import { type Sweep, Sweeps } from '@caravan/service-kit/jobs/sweeps';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { z } from 'zod';
import type { AccountName } from '../ports.ts';
import { Rows } from '../rows/index.ts';
import { replaceSealedTokens } from './account-tokens.store.ts';
import { forgetExpiredAttempts } from './attempts.system.store.ts';
import { replaceSealedRevocation } from './pending-revocations.store.ts';
import {
  accountsOfOtherKeys,
  countSealedByUnknownKeys,
  revocationsOfOtherKeys,
} from './sealed-by-other-keys.system.query.ts';
import { openTokens, sealTokens } from './sealed-tokens.ts';
import { TokenKeys } from './token-keys.service.ts';

export const refreshTokens = defineJob({
  name: 'integrations.refresh-tokens',
  data: z.object({}),
  attempts: 1,
  concurrency: 1,
  everySeconds: 300,
});

const atOnce = 200;

/** Seals anew what an earlier key has sealed, and forgets connections that nobody finished. */
@Injectable()
export class RefreshTokens implements OnModuleInit {
  private readonly sweep: Sweep;

  constructor(
    @Inject(Rows) private readonly rows: Rows,
    @Inject(TokenKeys) private readonly keys: TokenKeys,
    @Inject(Sweeps) sweeps: Sweeps,
  ) {
    this.sweep = sweeps.of('integrations.refresh-tokens');
  }

  /** Whoever started with another key would ask every member to connect anew. */
  async onModuleInit(): Promise<void> {
    const lost = await countSealedByUnknownKeys(this.rows, this.keys.ids);
    if (lost > 0)
      throw new Error(`${lost} accounts are sealed by another PROVIDER_TOKEN_KEY; set it, or add it to those before`);
  }

  @HandlesJob(refreshTokens)
  async keep(): Promise<void> {
    await this.sweep.look(() => forgetExpiredAttempts(this.rows, new Date()));
    await this.sweep.look(() => this.sealAnew());
  }

  async sealAnew(): Promise<void> {
    const stale = await accountsOfOtherKeys(this.rows, this.keys.currentId, atOnce);
    await this.sweep.each(
      stale,
      ({ orgId, userId, provider }) => `${orgId} ${userId} ${provider}`,
      async (row) => {
        const { orgId, userId, provider } = row as typeof row & AccountName;
        const tokens = openTokens(this.keys, { orgId, userId, provider }, row);
        if (tokens === null) return;
        const sealed = sealTokens(this.keys, { orgId, userId, provider }, tokens);
        await replaceSealedTokens(this.rows, { orgId, userId, provider }, row, sealed);
      },
    );
    await this.sealRevocationsAnew();
    if (stale.length > 0 && stale.length < atOnce)
      this.sweep.log.info({ event: 'tokens-sealed-anew', count: stale.length }, 'earlier keys are needed no more');
  }

  private async sealRevocationsAnew(): Promise<void> {
    const stale = await revocationsOfOtherKeys(this.rows, this.keys.currentId, atOnce);
    await this.sweep.each(
      stale,
      ({ revocationId }) => revocationId,
      async (row) => {
        const { orgId, userId, provider, revocationId } = row as typeof row & AccountName;
        const tokens = openTokens(this.keys, { orgId, userId, provider }, row);
        if (tokens === null) return;
        const sealed = sealTokens(this.keys, { orgId, userId, provider }, tokens);
        await replaceSealedRevocation(this.rows, { orgId, revocationId }, sealed);
      },
    );
  }
}
