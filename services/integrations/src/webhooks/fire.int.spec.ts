import { casesOf } from '@caravan/contracts/testing/full';
import { random } from '@caravan/contracts/testing/seeded';
import { withSystem } from '@caravan/event-store/postgres/connections';
import { eventually } from '@caravan/event-store/testing/eventually';
import { killConnections } from '@caravan/event-store/testing/fire';
import { boot, type RunningService } from '@caravan/service-kit/http/start';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { Syncing } from '../syncing/index.ts';
import { type ImportingUnderTest, type Member, startImporting } from '../testing/importing-under-test.ts';
import { deliveryOf, hoursAgo, stravaSecret } from '../testing/recording-platform.ts';
import { Notices } from './notices.service.ts';

let under: ImportingUnderTest;
let second: RunningService;

beforeAll(async () => {
  under = await startImporting();
  second = await boot({ name: 'integrations', env: under.env, module: under.moduleOf(under.env) });
});
afterAll(async () => {
  await second.close();
  await under.close();
});
afterEach(() => {
  under.strava.interfere = () => undefined;
});

class Killed extends Error {}

/** Dies at each moment of each call to the platform once. */
const dieEverywhere = (deaths: Set<string>) => {
  under.strava.interfere = (call, moment) => {
    const where = `${moment} ${call}`;
    if (deaths.has(where)) return;
    deaths.add(where);
    throw new Killed(where);
  };
};
/** As when the leases of the dead have run out. */
const leasesEnd = () =>
  withSystem(under.pool, async (tx) => {
    await tx.query(`update sync_runs set leased_until = null`);
    await tx.query(`update webhook_inbox set leased_until = null, due_at = least(due_at, now())`);
  });
const untilAlive = async (work: () => Promise<unknown>) => {
  for (;;) {
    const outcome = await work().catch((error: unknown) => error);
    if (!(outcome instanceof Error)) return outcome;
    await leasesEnd();
  }
};
const post = (url: string, secret: string, body: string) =>
  fetch(`${url}/api/webhooks/strava/${secret}`, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json' },
  }).then(({ status }) => status);

describe('whoever dies between any two steps', () => {
  test('[F01 I7] of a sync loses nothing and counts nothing twice', async () => {
    const maya = under.member();
    const id = await under.connect(maya, 'strava');
    for (let nth = 0; nth < 8; nth += 1)
      under.strava.change(id, `${maya.userId}-${nth}`, { startedAt: hoursAgo(nth * 70 + 1) });
    const syncing = under.app.get<Syncing>(Syncing);
    const run = await syncing.begin({ ...maya, provider: 'strava' }, 'connect');
    if (!run) throw new Error('a run');
    const deaths = new Set<string>();
    dieEverywhere(deaths);
    const dead = await syncing.carryOn(run).catch((error: unknown) => error);
    expect(dead).toBeInstanceOf(Killed);
    expect(await second.app.get<Syncing>(Syncing).carryOn(run)).toBeUndefined();
    await leasesEnd();
    await untilAlive(() => syncing.carryOn(run));
    expect(deaths.size).toBeGreaterThanOrEqual(8);
    await eventually(() => expect(under.publishedOf(maya.orgId).logs).toHaveLength(8));
    expect(under.publishedOf(maya.orgId).facts).toHaveLength(8);
    const ended = await under.rows(maya.orgId, 'select state, imported from sync_runs where org_id = $1');
    expect(ended).toEqual([{ state: 'done', imported: 8 }]);
  });

  test('[F01 I7] of reading notices loses none and counts nothing twice', async () => {
    const maya = under.member();
    const id = await under.connect(maya, 'strava');
    dieEverywhere(new Set());
    for (let nth = 0; nth < 6; nth += 1) {
      const notice = under.strava.change(id, `${maya.userId}-${nth}`, { startedAt: hoursAgo(nth * 2) });
      expect(await post(under.url, stravaSecret, deliveryOf(notice))).toBe(200);
    }
    await eventually(async () => {
      await leasesEnd();
      await untilAlive(() => under.app.get<Notices>(Notices).read({ ...maya, provider: 'strava' }));
      expect(under.publishedOf(maya.orgId).logs).toHaveLength(6);
    });
    expect(under.publishedOf(maya.orgId).facts).toHaveLength(6);
  });
});

const members = async (count: number) => {
  const all: (Member & { id: string })[] = [];
  for (let nth = 0; nth < count; nth += 1) {
    const member = under.member();
    all.push({ ...member, id: await under.connect(member, 'strava') });
  }
  return all;
};
type Sent = { readonly body: string; readonly secret: string; readonly status: number };

/** Two to each workout. */
const deliveriesOf = ({ id, userId }: Member & { id: string }, count: number): Sent[] =>
  Array.from({ length: count }, (_, nth) => {
    const externalId = `${userId}-${nth % (count / 2)}`;
    const startedAt = hoursAgo((nth % (count / 2)) * 2);
    const body = deliveryOf(under.strava.change(id, externalId, { startedAt }));
    return { body, secret: stravaSecret, status: 200 };
  });

/** Both processes get them; what was answered with a fault is delivered again, as platforms do. */
async function send(all: readonly Sent[]): Promise<void> {
  const queue = all.toSorted(() => random() - 0.5).entries();
  const sender = async () => {
    for (const [nth, { body, secret, status }] of queue)
      for (let answered = 0; answered !== status;) {
        answered = await post(nth % 2 === 0 ? under.url : second.url, secret, body);
        expect([status, 500, 503]).toContain(answered);
      }
  };
  await Promise.all(Array.from({ length: 10 }, sender));
}

/** Each workout made it once: told of, and never twice the same. */
async function expectEach(all: readonly Member[], count: number): Promise<void> {
  await eventually(async () => {
    await leasesEnd();
    for (const [nth, { orgId, userId }] of all.entries()) {
      const { app } = nth % 2 === 0 ? under : second;
      await app.get<Notices>(Notices).read({ orgId, userId, provider: 'strava' });
      const open = await under.rows(orgId, 'select from webhook_inbox where org_id = $1 and handled_at is null');
      expect([open.length, under.publishedOf(orgId).logs.length]).toEqual([0, count]);
    }
  });
  for (const { orgId } of all) {
    const { facts, logs } = under.publishedOf(orgId);
    expect(new Set(facts.map(({ data }) => JSON.stringify(data))).size).toBe(facts.length);
    expect(new Set(logs.map(({ startedAt }) => startedAt)).size).toBe(count);
  }
}

test(
  '[S33 I7] of hundreds of deliveries at once, forged and doubled ones among them, each is answered and each workout is made once',
  {
    timeout: 120_000,
  },
  async () => {
    const senders = casesOf({ core: 3, full: 10 });
    const all = await members(senders);
    const genuine = all.flatMap((one) => deliveriesOf(one, 60));
    const strange = deliveriesOf({ ...under.member(), id: 'nobody' }, 10 * senders);
    const forged = genuine.slice(0, 10 * senders).map((one) => ({ ...one, secret: 'guessed', status: 404 }));
    const burst = [...genuine, ...genuine.slice(0, 20 * senders), ...strange, ...forged];
    expect(burst).toHaveLength(100 * senders);
    await send(burst);
    await expectEach(all, 30);
  },
);

test(
  '[F06 I7] two processes that lose their connections to the database again and again lose no delivery',
  {
    timeout: 120_000,
  },
  async () => {
    const all = await members(4);
    const fire = killConnections(under.env.DATABASE_URL, 50);
    await send(all.flatMap((one) => deliveriesOf(one, 40)));
    for (const { orgId, userId } of all)
      await under.app
        .get<Notices>(Notices)
        .read({ orgId, userId, provider: 'strava' })
        .catch(() => undefined);
    expect(await fire.stop()).toBeGreaterThan(3);
    await expectEach(all, 20);
  },
);
