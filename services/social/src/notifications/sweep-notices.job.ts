import { withSystem } from '@caravan/event-store/postgres';
import { HandlesJob } from '@caravan/service-kit/jobs/handles-job.decorator';
import { defineJob } from '@caravan/service-kit/jobs/job';
import { Pool } from '@caravan/service-kit/storage/pool';
import { type Sweep, Sweeps } from '@caravan/service-kit/jobs/sweeps';
import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import { AnnounceNotices } from './announce-notices.job.ts';
import { writeNotices } from './notices.store.ts';
import { forgetNoticesBefore } from './receivers.store.ts';

export const sweepNotices = defineJob({
  name: 'social.sweep-notices',
  data: z.object({}),
  attempts: 1,
  concurrency: 1,
  everySeconds: 300,
});

export const keptDays = 90;

const endingSql = `
  select b.org_id as "orgId", b.ballot_id as "ballotId", b.ends_at as "endsAt", m.user_id as "userId"
  from ballots b join members m on m.org_id = b.org_id and m.team_id = b.team_id and m.is_active
  where b.decided_at is null and b.ends_at > $1 and b.ends_at <= $1 + interval '1 day'
    -- Whoever has just been told that it is open need not hear that it ends.
    and b.opened_at < b.ends_at - interval '2 days'
    and not exists (select from ballot_votes v
      where v.org_id = b.org_id and v.ballot_id = b.ballot_id and v.user_id = m.user_id)
    and not exists (select from notices n where n.org_id = b.org_id and n.user_id = m.user_id
      and n.kind = 'ballot-ending' and n.subject = b.ballot_id::text)
  limit 10000`;

type Ending = { readonly orgId: string; readonly ballotId: string; readonly endsAt: Date; readonly userId: string };

/** Tells of ballots that end within a day whoever has not voted, and forgets what is older than 90 days. */
@Injectable()
export class SweepNotices {
  private readonly notices: Sweep;

  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(AnnounceNotices) private readonly announcer: AnnounceNotices,
    @Inject(Sweeps) sweeps: Sweeps,
  ) {
    this.notices = sweeps.of('social.sweep-notices');
  }

  @HandlesJob(sweepNotices)
  sweep(): Promise<void> {
    return this.sweepAt(new Date());
  }

  async sweepAt(at: Date): Promise<void> {
    await this.notices.look(() => this.tellOfEndings(at));
    await this.notices.look(() => this.forgetOld(at));
  }

  private async tellOfEndings(at: Date): Promise<void> {
    await withSystem(this.pool, async (tx) => {
      const { rows } = await tx.query<Ending>(endingSql, [at]);
      const told = rows.map(({ orgId, ballotId, endsAt, userId }) => ({
        ...({ is: 'raised', orgId, to: { userId }, kind: 'ballot-ending', subject: ballotId, item: 'ending' } as const),
        at: at.toISOString(),
        expiresAt: endsAt.toISOString(),
      }));
      await writeNotices(tx, told);
    });
    this.announcer.soon();
  }

  private async forgetOld(at: Date): Promise<void> {
    const before = new Date(at.getTime() - keptDays * 86_400_000);
    let isDone = false;
    while (!isDone) isDone = await withSystem(this.pool, (tx) => forgetNoticesBefore(tx, before));
  }
}
