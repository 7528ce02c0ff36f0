import { settle } from '@caravan/check-invariants/invariants';
import { serviceNames } from '@caravan/contracts/events/topics';
import { createPool } from '@caravan/event-store/postgres/connections';
import { expect } from '@playwright/test';
import { target } from '../env.ts';

const tablesSql = `
  select c.oid::regclass::text as name from pg_class c
  join pg_attribute a on a.attrelid = c.oid and a.attname = 'org_id' and not a.attisdropped
  where c.relkind = 'r' and c.relnamespace::regnamespace::text in ('public', 'es', 'audit') and c.relname <> all($1::text[])
  order by 1`;

/** Messages on their way; and what jobs write by the clock, whoever asks in the meantime: turns of mails, ended weeks. */
const passedOver = ['outbox', 'notice_mail_leases', 'weekly_recaps', 'recap_analytics'];

/** When a notice goes out is the clock's doing, and when a photo has its sizes a job's. */
const movedByTheClock = ['mail_at', 'push_at', 'mailed_at', 'sized_at'];

export class Rows {
  private readonly pools = serviceNames.map((service) => {
    const pool = createPool(`${target().postgresOwner}caravan_${service}`, { max: 1 });
    return { service, pool };
  });

  /** In any service, log included: equal when nothing changed. */
  async of(orgId: string): Promise<Record<string, string[]>> {
    const parts = this.pools.map(async ({ service, pool }) => {
      await pool.query("select set_config('app.org', $1, false)", [orgId]);
      const { rows: tables } = await pool.query<{ name: string }>(tablesSql, [passedOver]);
      const found: [string, string[]][] = [];
      for (const { name } of tables) {
        const text = `select (to_jsonb(t) - $2::text[])::text as row from ${name} t where org_id = $1 order by 1`;
        const { rows } = await pool.query<{ row: string }>(text, [orgId, movedByTheClock]);
        found.push([`${service}.${name}`, rows.map(({ row }) => row)]);
      }
      return found;
    });
    return Object.fromEntries((await Promise.all(parts)).flat());
  }

  /** Until what has happened is known everywhere: what a service has still to hear shows in no row. */
  async untilAtRest(orgId: string): Promise<void> {
    await settle(target().postgres, 60_000);
    await expect(async () => {
      const before = await this.of(orgId);
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      expect(await this.of(orgId)).toEqual(before);
    }).toPass({ timeout: 60_000 });
  }

  async close(): Promise<void> {
    await Promise.all(this.pools.map(({ pool }) => pool.end()));
  }
}
