import { EventStore } from '@caravan/event-store/core/event-store';
import { withTenant } from '@caravan/event-store/postgres/connections';
import { Live } from '@caravan/service-kit/live/live';
import { Pool } from '@caravan/service-kit/storage/pool';
import { Inject, Injectable } from '@nestjs/common';
import { clock } from '../importing/index.ts';
import type { RunRef } from './catch-ups.store.ts';
import { runEnded } from './public-events.ts';
import { type Run, spanOf, type Trouble } from './run.ts';
import { beginRun, claimRun, endRun, type NewRun, postponeRun } from './runs.store.ts';

/** Stores how far each run is. */
@Injectable()
export class Runs {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(EventStore) private readonly events: EventStore,
    @Inject(Live) private readonly live: Live,
  ) {}

  begin(run: Omit<NewRun, 'now' | 'from' | 'to'> & Parameters<typeof spanOf>[1]): Promise<void> {
    return withTenant(this.pool, run.orgId, async (tx) => {
      const now = await clock(tx);
      await beginRun(tx, { ...run, now, ...spanOf(run.cause, run, now) });
    });
  }

  /** Undefined: it is over, not due, or another process is at it. */
  claim(ref: RunRef): Promise<Run | undefined> {
    return withTenant(this.pool, ref.orgId, (tx) => claimRun(tx, ref));
  }

  postpone(run: Run, seconds: number, failure: string | null): Promise<void> {
    return withTenant(this.pool, run.orgId, (tx) => postponeRun(tx, run, seconds, failure));
  }

  /** Pushes to its member's open pages, and publishes what is news to the member. */
  async end(run: Run, failure: Trouble | null): Promise<void> {
    const { orgId, userId } = run;
    const at = new Date();
    const meta = { orgId, actorId: null, at, key: { of: 'person', id: userId } } as const;
    await this.events.transaction(meta, async (unit) => {
      const ended = await endRun(unit.tx, run, failure);
      const event = ended && runEnded(run, { ...ended, failure }, at);
      if (event) await unit.publish(event);
    });
    this.live.publish(orgId, ['devices'], { to: userId });
  }
}
