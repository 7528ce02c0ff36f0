import { withSystem } from '@caravan/event-store/postgres/connections';
import { eventually } from '@caravan/event-store/testing/eventually';
import { GatewayPresence } from '@caravan/service-kit/storage/gateway-presence';
import { Redis } from '@caravan/service-kit/storage/redis';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ImportingUnderTest, type Member, startImporting } from '../testing/importing-under-test.ts';
import { hoursAgo } from '../testing/recording-platform.ts';
import { MissedDeliveries } from './missed-deliveries.service.ts';
import { Syncs } from '../syncing/syncs.job.ts';

let under: ImportingUnderTest;
let members: readonly Member[];
let gateway: GatewayPresence;
beforeAll(async () => {
  under = await startImporting();
  gateway = new GatewayPresence(under.app.get<Redis>(Redis));
});
afterAll(() => under.close());
beforeEach(async () => {
  await inAll('delete from sync_runs');
  await inAll('delete from provider_accounts');
  members = [under.member(), under.member(), under.member()];
  for (const member of members) {
    const id = await under.connect(member, 'strava', { connectedAt: hoursAgo(48) });
    under.strava.change(id, `${member.userId}-missed`, { startedAt: hoursAgo(3) });
  }
  await gatewayHere();
  await look();
});

const inAll = async (sql: string) => {
  const { rows } = await withSystem(under.pool, (tx) => tx.query<{ cause: string; seconds: number }>(sql));
  return rows;
};
const look = () => under.app.get<MissedDeliveries>(MissedDeliveries).look();
const outageOf = (seconds: number) =>
  inAll(`update delivery_watch set receiving_until = now() - interval '${seconds} seconds'`);
const catchUps = () =>
  inAll(`select cause, round(extract(epoch from due_at - started_at))::int as seconds from sync_runs order by due_at`);
// The connection is given up when the machine is busy: the next one is there soon.
const gatewayHere = () => eventually(() => gateway.show());
const gatewayGone = () => eventually(() => under.app.get<Redis>(Redis).del('gateway:present'));

describe('after an outage', () => {
  test('[F06 F18] every account is synced once, one after the other, whichever process finds it', async () => {
    await outageOf(600);
    await Promise.all([look(), look(), look()]);
    expect(await catchUps()).toEqual([0, 15, 30].map((seconds) => ({ cause: 'catch-up', seconds })));
    await look();
    expect(await catchUps()).toHaveLength(3);
    await inAll("update sync_runs set due_at = now() where state = 'running'");
    await under.app.get<Syncs>(Syncs).sweepAt(new Date());
    for (const { orgId } of members)
      await expect.poll(() => under.publishedOf(orgId).logs, { interval: 25, timeout: 20_000 }).toHaveLength(1);
  });

  test('[F18] nothing is synced after a moment, since platforms deliver again', async () => {
    await outageOf(30);
    await look();
    expect(await catchUps()).toEqual([]);
  });

  test('[F18] a gateway that was gone is an outage, too', async () => {
    await gatewayGone();
    await outageOf(600);
    await look();
    expect(await catchUps()).toEqual([]);
    await gatewayHere();
    await look();
    expect(await catchUps()).toHaveLength(3);
  });
});
