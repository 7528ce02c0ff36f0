import type { Caller } from '@caravan/auth/claims';
import { Live } from '@caravan/service-kit/live';
import { Log } from '@caravan/service-kit/log';
import { logSecurity } from '@caravan/service-kit/security-log';
import { Inject, Injectable } from '@nestjs/common';
import { DiscardedFiles } from './discarded-files.client.ts';

/** What is left to do once an erasure is committed. */
@Injectable()
export class ErasureCleanup {
  constructor(
    @Inject(DiscardedFiles) private readonly discarded: DiscardedFiles,
    @Inject(Live) private readonly live: Live,
    @Inject(Log) private readonly log: Log,
  ) {}

  /** Never throws: what cannot be removed now is removed by the sweep. */
  async run({ orgId, userId }: Caller, hasClosed: boolean): Promise<void> {
    logSecurity(this.log, 'account-erased', { orgId, userId });
    if (hasClosed) logSecurity(this.log, 'organisation-closed', { orgId });
    this.live.publish(orgId, ['people', 'members', 'teams']);
    await this.discarded
      .remove()
      .catch((error: unknown) => this.log.warn({ err: error }, 'files of an erased account wait for the next sweep'));
  }
}
