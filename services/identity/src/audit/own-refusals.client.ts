import type { Caller } from '@caravan/auth/claims';
import type { RefusalLog } from '@caravan/auth/refused-calls';
import { withTenant } from '@caravan/event-store/postgres';
import { Pool } from '@caravan/service-kit/pool';
import { Inject, Injectable } from '@nestjs/common';
import { recordAct } from '../record-act.query.ts';

/** Calls that this service itself refused. */
@Injectable()
export class OwnRefusals implements RefusalLog {
  constructor(@Inject(Pool) private readonly pool: Pool) {}

  async write({ orgId, meta }: Caller, call: string): Promise<void> {
    await withTenant(this.pool, orgId, (tx) => recordAct({ tx, meta }, 'access.refused', { text: call }));
  }
}
