import { randomUUID } from '@caravan/contracts/testing/seeded';
import { memberDeactivated, memberReactivated } from '@caravan/contracts/events/identity.events';
import type { OutgoingEvent } from '@caravan/event-store/core/public-events';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ImportingUnderTest, type Member, startImporting } from '../testing/importing-under-test.ts';
import { deliveryOf, hoursAgo, stravaSecret } from '../testing/recording-platform.ts';
import type { Notice } from '../providers/index.ts';
import { NoticeJobs } from '../webhooks/notices.job.ts';
import { Syncing } from './syncing.service.ts';
import { Syncs } from './syncs.job.ts';

let under: ImportingUnderTest;
let maya: Member;
let id: string;
beforeAll(async () => {
  under = await startImporting();
});
afterAll(() => under.close());
beforeEach(async () => {
  maya = under.member();
  id = await under.connect(maya, 'strava', { connectedAt: hoursAgo(48) });
});
afterEach(() => {
  under.strava.interfere = () => undefined;
  under.fitbit.interfere = () => undefined;
});

const at = () => new Date().toISOString();
const aboutMaya = () => ({ userId: maya.userId, teamId: randomUUID() });

/** Identity says it, and says it again. */
async function say(fact: OutgoingEvent): Promise<void> {
  const told = await under.peer.publish({ ...fact, orgId: maya.orgId, key: maya.orgId });
  await under.peer.redeliver(...told);
}
const readPaused = () => under.rows(maya.orgId, 'select from deactivated_members where org_id = $1');

async function deactivate(): Promise<void> {
  await say({ type: memberDeactivated.type, version: 1, data: { ...aboutMaya(), deactivatedAt: at() } });
  await expect.poll(readPaused).toHaveLength(1);
}
async function reactivate(): Promise<void> {
  await say({ type: memberReactivated.type, version: 1, data: { ...aboutMaya(), reactivatedAt: at() } });
  await expect.poll(readPaused).toHaveLength(0);
}

const deliver = async (notice: Notice) => {
  const path = `${under.url}/api/webhooks/strava/${stravaSecret}`;
  const headers = { 'content-type': 'application/json' };
  expect((await fetch(path, { method: 'POST', body: deliveryOf(notice), headers })).status).toBe(200);
};
const record = (externalId: string, hours = 3) =>
  under.strava.change(id, `${maya.userId}-${externalId}`, { startedAt: hoursAgo(hours) });
const runs = () =>
  under.rows<{ cause: string; state: string }>(
    maya.orgId,
    'select cause, state from sync_runs where org_id = $1 order by started_at',
  );
const callsOf = () => under.strava.calls.length;
const logs = () => under.publishedOf(maya.orgId).logs;
const sweepAll = async () => {
  await under.hurry(maya);
  await under.app.get<NoticeJobs>(NoticeJobs).sweepAt(new Date());
  await under.app.get<NoticeJobs>(NoticeJobs).read({ ...maya, provider: 'strava' });
  await under.app.get<Syncs>(Syncs).sweepAt(new Date());
};

describe('[S06] a deactivated member', () => {
  test('is not asked for at a platform, whatever is due; reactivated, all that was missed is fetched', async () => {
    await deactivate();
    const calls = callsOf();
    await deliver(record('told'));
    record('never told', 7);
    expect(await under.app.get<Syncing>(Syncing).begin({ ...maya, provider: 'strava' }, 'asked')).toBeUndefined();
    const night = new Date(`${new Date().toISOString().slice(0, 10)}T23:00:00Z`);
    await under.app.get<Syncs>(Syncs).sweepAt(night);
    await sweepAll();
    expect(callsOf()).toBe(calls);
    expect(await runs()).toEqual([]);
    expect(
      await under.rows(maya.orgId, 'select from webhook_inbox where org_id = $1 and handled_at is null'),
    ).toHaveLength(1);

    await reactivate();
    await expect.poll(logs, { interval: 25, timeout: 20_000 }).toHaveLength(2);
    const causes = (await runs()).map(({ cause }) => cause).filter((cause) => cause !== 'notice');
    expect(causes).toEqual(['catch-up']);
  });

  test('whose sync is under way stops before its next page, and goes on from there once reactivated', async () => {
    // At a platform that nobody else here uses: what is asked there is asked for this member.
    const theirs = await under.connect(maya, 'fitbit', { connectedAt: hoursAgo(48) });
    for (const nth of [1, 2, 3, 4, 5])
      under.fitbit.change(theirs, `${maya.userId}-${nth}`, { startedAt: hoursAgo(nth * 3) });
    const run = await under.app.get<Syncing>(Syncing).begin({ ...maya, provider: 'fitbit' }, 'connect');
    let pages = 0;
    under.fitbit.interfere = async (_call, moment) => {
      if (moment !== 'before' || (pages += 1) > 1) return;
      await deactivate();
    };
    if (run) await under.app.get<Syncing>(Syncing).carryOn(run);
    expect(pages).toBe(1);
    const connectRuns = async () => (await runs()).filter(({ cause }) => cause === 'connect');
    expect(await connectRuns()).toEqual([{ cause: 'connect', state: 'running' }]);
    await reactivate();
    await expect.poll(logs, { interval: 25, timeout: 20_000 }).toHaveLength(5);
    await expect.poll(connectRuns, { interval: 25 }).toEqual([{ cause: 'connect', state: 'done' }]);
  });

  test('[S23 D21] who ends the permission at the platform loses what came from it, like everybody', async () => {
    await deliver(record('before'));
    await sweepAll();
    await expect.poll(logs, { interval: 25, timeout: 20_000 }).toHaveLength(1);
    await deactivate();
    await deliver(under.strava.revokedBy(id));
    await sweepAll();
    await expect.poll(logs, { interval: 25, timeout: 20_000 }).toEqual([]);
    expect(await under.rows(maya.orgId, 'select from provider_accounts where org_id = $1')).toEqual([]);
  });
});
