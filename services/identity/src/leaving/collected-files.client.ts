import { type MyData, myDataPath, myDataSchema } from '@caravan/contracts/http/my-data';
import { Env } from '@caravan/service-kit/env';
import { readMyData } from '@caravan/service-kit/my-data';
import { Pool } from '@caravan/service-kit/pool';
import { ServiceCredential } from '@caravan/service-kit/service-credential';
import { Inject, Injectable } from '@nestjs/common';
import { AccessTokens } from '../ports.ts';
import type { IdentityEnv } from '../env.ts';
import { zipOf } from './archive.client.ts';
import type { ExportRef, Holder } from './exports.query.ts';
import { ownFiles } from './own-files.ts';

const patienceMilliseconds = 30_000;

/** What identity and the other services hold about a person. */
@Injectable()
export class CollectedFiles {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(AccessTokens) private readonly accessTokens: AccessTokens,
    @Inject(Env) private readonly env: IdentityEnv,
  ) {}

  /** One zip of everything. Throws when a service is away: half of somebody's data is not their data. */
  async zip({ orgId, userId }: ExportRef, { name, role, sessionId }: Holder): Promise<Buffer> {
    if (sessionId === null) throw new Error('Whoever asked for their data is signed out');
    const at = new Date();
    // The others are asked as the person, so that they answer what they would answer the person, and no more.
    const token = await this.accessTokens.issue({ userId, orgId, sessionId, role }, at);
    const [{ files }, others] = await Promise.all([
      readMyData(this.pool, { orgId, userId }, ownFiles),
      this.filesOfOthers(token),
    ]);
    return zipOf({ account: files, ...others }, { name, at });
  }

  private async filesOfOthers(token: string): Promise<Record<string, MyData['files']>> {
    const credential = new ServiceCredential(this.env.SERVICE_CREDENTIAL);
    const { ACTIVITY_URL, SCORING_URL, SOCIAL_URL, INTEGRATIONS_URL } = this.env;
    const urls = {
      ...{ activity: ACTIVITY_URL, scoring: SCORING_URL },
      ...{ social: SOCIAL_URL, integrations: INTEGRATIONS_URL },
    };
    const asked = Object.entries(urls).map(async ([service, url]) => {
      const response = await fetch(`${url}${myDataPath}`, {
        headers: { ...credential.headers, authorization: `Bearer ${token}` },
        signal: AbortSignal.timeout(patienceMilliseconds),
      });
      if (!response.ok) throw new Error(`${service} answered ${response.status}`);
      return [service, myDataSchema.parse(await response.json()).files] as const;
    });
    return Object.fromEntries(await Promise.all(asked));
  }
}
