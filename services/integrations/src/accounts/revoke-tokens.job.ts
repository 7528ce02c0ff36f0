import { fitnessProviderSchema } from '@caravan/contracts/http/fitness';
import { HandlesJob } from '@caravan/service-kit/handles-job.decorator';
import { defineJob } from '@caravan/service-kit/job';
import { Jobs } from '@caravan/service-kit/jobs';
import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import type { AccountName } from '../ports.ts';
import { type Provider, ProviderFailure, Providers } from '../providers/index.ts';
import { Rows } from '../rows/index.ts';
import { type HeldAccount, openTokens, withoutTokens } from './sealed-tokens.ts';
import { TokenKeys } from './token-keys.service.ts';

/** Tokens stay sealed in Redis. */
export const revokeTokens = defineJob({
  name: 'integrations.revoke-tokens',
  data: z.object({
    ...{ orgId: z.uuid(), userId: z.uuid(), provider: fitnessProviderSchema },
    ...{ providerUserId: z.string(), connectedAt: z.iso.datetime() },
    ...{ access: z.base64(), refresh: z.base64(), keyId: z.string() },
  }),
  attempts: 12,
  backoffSeconds: 30,
});

@Injectable()
export class Revocations {
  constructor(
    @Inject(Rows) private readonly rows: Rows,
    @Inject(TokenKeys) private readonly keys: TokenKeys,
    @Inject(Providers) private readonly providers: Pick<Providers, 'of'>,
    @Inject(Jobs) private readonly jobs: Jobs,
  ) {}

  /** The platform is told, later where it does not answer, and the tokens go from here. Null: nothing is connected. */
  async revoke({ orgId, userId, provider }: AccountName): Promise<Provider | null> {
    const account = { orgId, userId, provider };
    const { providerAccount } = this.rows.of(orgId);
    const row = await providerAccount.findFirst({ where: account });
    if (!row) return null;
    const platform = this.providers.of(provider);
    const tokens = openTokens(this.keys, account, row);
    await (tokens && platform.revoke(tokens))?.catch(async (error: unknown) => {
      if (!isInVain(error)) await this.revokeSoon({ ...row, provider });
    });
    await providerAccount.updateMany({ where: account, data: withoutTokens });
    return platform;
  }

  /** Without tokens there is nothing to revoke. */
  async revokeSoon(held: HeldAccount): Promise<void> {
    const { orgId, userId, provider, providerUserId, accessTokenSealed, refreshTokenSealed, tokenKeyId: keyId } = held;
    if (accessTokenSealed === null || refreshTokenSealed === null || keyId === null) return;
    const [access, refresh] = [textOf(accessTokenSealed), textOf(refreshTokenSealed)];
    const account = { orgId, userId, provider, providerUserId, connectedAt: held.connectedAt.toISOString() };
    await this.jobs.enqueue(revokeTokens, { ...account, access, refresh, keyId }, { key: refresh.slice(-40) });
  }

  /** Whoever has connected it anew meanwhile stays connected: a platform ends the permission, not the token. */
  @HandlesJob(revokeTokens)
  async revokeLater(job: z.infer<typeof revokeTokens.data>): Promise<void> {
    const { orgId, userId, provider, providerUserId, connectedAt, keyId: tokenKeyId } = job;
    const account = { orgId, userId, provider };
    // Until it is marked as ended the account still stands there as it was.
    const isAnew = { providerUserId, connectedAt: { not: connectedAt }, state: 'connected' };
    if ((await this.rows.of(orgId).providerAccount.count({ where: { ...account, ...isAnew } })) > 0) return;
    const sealed = {
      accessTokenSealed: Buffer.from(job.access, 'base64'),
      refreshTokenSealed: Buffer.from(job.refresh, 'base64'),
    };
    const tokens = openTokens(this.keys, account, { ...sealed, tokenKeyId });
    if (!tokens) return;
    await this.providers
      .of(provider)
      .revoke(tokens)
      .catch((error: unknown) => {
        if (!isInVain(error)) throw error;
      });
  }
}

const isInVain = (error: unknown) =>
  error instanceof ProviderFailure && (error.why === 'refused' || error.why === 'reconnect');

const textOf = (sealed: Uint8Array) => Buffer.from(sealed).toString('base64');
