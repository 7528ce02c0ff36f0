import { randomUUID } from '@caravan/contracts/testing/seeded';
import { streakFreezesSwitched } from '@caravan/contracts/events/identity.events';
import { addDays, localDateOf } from '@caravan/contracts/domain/time/local-days';
import { rebuild } from '@caravan/event-store/rebuild/rebuild';
import { listenTo } from '@caravan/messaging/testing/listener';
import type { Listener } from '@caravan/messaging/testing/listener';
import { startPeerService } from '@caravan/messaging/testing/peer-service';
import type { PeerService } from '@caravan/messaging/testing/peer-service';
import { listenLive } from '@caravan/service-kit/testing/live-listener';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startIdentity } from '../../testing/identity.ts';
import type { IdentityUnderTest } from '../../testing/identity.ts';
import {
  claimsOf,
  foundOrganisation,
  idOf,
  joinOrganisation,
  protectedFields,
  recordedTypes,
} from '../../testing/organisations.ts';
import type { Visitor } from '../../testing/visitor.ts';
import { streakRulesProjection } from './organisation.projection.ts';
import { organisations } from './organisation.store.ts';

let identity: IdentityUnderTest;
let scoring: PeerService;
let heard: Listener;
beforeAll(async () => {
  identity = await startIdentity({ FAILURES_PER_ADDRESS: '100000' }, true);
  scoring = await startPeerService('scoring', identity.env);
  heard = await listenTo('identity', identity.env);
});
afterAll(async () => {
  await scoring.close();
  await heard.close();
  await identity.close();
});

const today = localDateOf(new Date(), 'UTC');
const turn = (admin: Visitor, hasFreezes: unknown, headers = {}) =>
  admin.call('PUT', '/api/company/streaks', { hasFreezes }, headers);

const streakOf = async (person: Visitor) => {
  const { streakCount, streakState, streakFreezes } = (await person.get('/api/me')).body;
  return [streakCount, streakState, streakFreezes];
};
const streakInProfile = async (of: Visitor, by: Visitor) =>
  (await by.get(`/api/users/${idOf(of)}`)).body['streakCount'];

/** What scoring says of a member whose streak of nine days a freeze holds, delivered twice. */
async function frozen(person: Visitor) {
  const { sub: userId, org: orgId } = claimsOf(person);
  const missed = addDays(today, -2);
  const data = {
    entryId: randomUUID(),
    userId,
    teamId: randomUUID(),
    kind: 'log',
    logId: randomUUID(),
    centimiles: 100,
    creditedOn: missed,
    totalCentimiles: 900,
    latestRun: { startedOn: missed, endedOn: missed },
    streak: { days: 9, freezes: 2 },
  };
  const said = await scoring.publish({ type: 'MilesCredited', version: 1, orgId, key: userId, data });
  await scoring.redeliver(...said);
  await expect.poll(async () => (await person.get('/api/me')).body['totalMiles']).toBe(9);
}

describe('PUT /api/company/streaks', () => {
  test('[D11 D35] switches freezes off for everybody at once, and on again', async () => {
    const { admin, orgId } = await foundOrganisation(identity);
    const maya = await joinOrganisation(identity, orgId);
    await frozen(maya);
    const held = [9, 'frozen'];
    const saved = expect.any(Number);
    expect(await streakOf(maya)).toEqual([...held, saved]);
    expect(await streakInProfile(maya, admin)).toBe(9);

    const pages = await listenLive(identity.env, orgId);
    expect(await turn(admin, false)).toMatchObject({ status: 200, body: { hasFreezes: false } });
    expect(await streakOf(maya)).toEqual([0, 'out', null]);
    expect(await streakOf(admin)).toEqual([0, 'out', null]);
    expect(await streakInProfile(maya, admin)).toBe(0);
    await expect.poll(() => [...pages.kinds]).toEqual(expect.arrayContaining(['me', 'people']));
    await pages.close();

    expect((await turn(admin, true)).body).toEqual({ hasFreezes: true });
    expect(await streakOf(maya)).toEqual([...held, saved]);
    expect(await streakInProfile(maya, admin)).toBe(9);
  });

  test('[D11 D38] says so once for each turn, with the position that scoring has to reach', async () => {
    const { admin, orgId } = await foundOrganisation(identity);
    await turn(admin, true);
    const off = await turn(admin, false);
    await turn(admin, false);
    await turn(admin, true);
    expect(off.headers.get('x-event-position')).toMatch(/^identity:\d+@\d+$/);
    expect((await recordedTypes(identity, orgId)).filter((type) => type === 'StreakFreezesSwitched')).toHaveLength(2);
    const publishedFacts = () =>
      heard.heard
        .filter(({ type, key }) => type === 'StreakFreezesSwitched' && key === orgId)
        .map(({ data }) => streakFreezesSwitched.data.parse(data).areOn);
    await expect.poll(publishedFacts).toEqual([false, true]);
  });

  test('[D38] the same request again is the same turn, another under its key is refused', async () => {
    const { admin } = await foundOrganisation(identity);
    const key = { 'idempotency-key': randomUUID() };
    expect((await turn(admin, false, key)).body).toEqual({ hasFreezes: false });
    await turn(admin, true);
    expect((await turn(admin, false, key)).body).toEqual({ hasFreezes: false });
    expect((await streakOf(admin))[2]).toBe(1);
    expect((await turn(admin, true, key)).status).toBe(422);
  });

  test('[D3 S18] is an admin’s, of their own organisation', async () => {
    const { admin, orgId } = await foundOrganisation(identity);
    const member = await joinOrganisation(identity, orgId);
    const other = await foundOrganisation(identity);
    expect(await turn(member, false)).toMatchObject({ status: 403, body: { code: 'auth/not-an-admin' } });
    await turn(other.admin, false);
    expect((await streakOf(admin))[2]).toBe(1);
    expect((await streakOf(other.admin))[2]).toBeNull();
  });

  test('[D38 S19] takes true and false, and no notice of what else is said', async () => {
    const { admin } = await foundOrganisation(identity);
    for (const value of [undefined, null, 'false', 0]) {
      const { status, body } = await turn(admin, value);
      expect(status).toBe(422);
      expect(body['message']).toBe('hasFreezes is true or false');
    }
    const { body } = await admin.call('PUT', '/api/company/streaks', { hasFreezes: false, ...protectedFields });
    expect(body).toEqual({ hasFreezes: false });
  });

  test('[D11] of two admins at once the last one stands, and the log knows no turn that changed nothing', async () => {
    const { admin, orgId } = await foundOrganisation(identity);
    await identity.warm();
    await Promise.all(Array.from({ length: 20 }, (_, nth) => turn(admin, nth % 2 === 1)));
    const events = await identity.rows<{ areOn: boolean }>(
      `select (data->>'areOn')::boolean as are_on from es.events where org_id = $1 and type = 'StreakFreezesSwitched'
        order by pos`,
      [orgId],
    );
    for (const [nth, { areOn }] of events.entries()) expect(areOn).toBe(nth % 2 === 1);
    expect((await streakOf(admin))[2] === null).toBe(events.at(-1)?.areOn === false);
  });
});

test('[D11] a rebuild brings the same rules', async () => {
  const here = await foundOrganisation(identity);
  const there = await foundOrganisation(identity);
  await turn(here.admin, false);
  for (const areOn of [false, true]) await turn(there.admin, areOn);
  const rules = () => identity.rows('select org_id, has_freezes from streak_rules order by org_id');
  const before = await rules();
  await identity.rows('delete from streak_rules where org_id = $1', [here.orgId]);
  await rebuild({ databaseUrl: identity.ownerUrl, kinds: [organisations], projection: streakRulesProjection });
  expect(await rules()).toEqual(before);
  expect((await streakOf(here.admin))[2]).toBeNull();
});
