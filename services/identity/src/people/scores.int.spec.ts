import { randomUUID } from '@caravan/contracts/testing/seeded';
import type { Envelope } from '@caravan/contracts/events/envelope';
import { memberJoined, organisationFounded, teamFormed } from '@caravan/contracts/events/identity.events';
import { addDays, localDateOf } from '@caravan/contracts/domain/time/local-days';
import { listenTo } from '@caravan/messaging/testing/listener';
import type { Listener } from '@caravan/messaging/testing/listener';
import { startPeerService } from '@caravan/messaging/testing/peer-service';
import type { PeerService } from '@caravan/messaging/testing/peer-service';
import { listenLive } from '@caravan/service-kit/testing/live-listener';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startIdentity } from '../../testing/identity.ts';
import type { IdentityUnderTest } from '../../testing/identity.ts';
import { claimsOf, foundOrganisation } from '../../testing/organisations.ts';
import { password } from '../../testing/visitor.ts';
import type { Visitor } from '../../testing/visitor.ts';

let identity: IdentityUnderTest;
let scoring: PeerService;
let heard: Listener;
beforeAll(async () => {
  identity = await startIdentity({}, true);
  scoring = await startPeerService('scoring', identity.env);
  heard = await listenTo('identity', identity.env);
});
afterAll(async () => {
  await scoring.close();
  await heard.close();
  await identity.close();
});

const today = localDateOf(new Date(), 'UTC');

const totalOf = async (person: Visitor, headers = {}) => (await person.get('/api/me', headers)).body['totalMiles'];

/** What scoring says once a member has so many miles. */
function creditedFact(person: Visitor, totalCentimiles: number, changes: object = {}) {
  const { sub: userId = '', org } = decodeJwt<{ org: string }>(person.token ?? '');
  const data = {
    entryId: randomUUID(),
    userId,
    teamId: randomUUID(),
    kind: 'log',
    logId: randomUUID(),
    centimiles: 100,
    creditedOn: today,
    totalCentimiles,
    latestRun: { startedOn: addDays(today, -2), endedOn: today },
    ...changes,
  };
  return { type: 'MilesCredited', version: 1, orgId: org, key: userId, data };
}

describe('miles that scoring credited', () => {
  test('[3.24 D39] show at GET /api/me, with the streak', async () => {
    const maya = await identity.signedIn();
    await scoring.publish(creditedFact(maya, 100), creditedFact(maya, 12_840));
    await expect.poll(() => totalOf(maya)).toBe(128.4);
    expect((await maya.get('/api/me')).body).toMatchObject({
      streakCount: 3,
      streakState: 'lit',
      lastActivityDate: today,
    });
  });

  test('[D11] bring a streak that freezes hold, and it goes once no day is left', async () => {
    const maya = await identity.signedIn();
    const streakOf = async () => {
      const { streakCount, streakState, lastActivityDate, totalMiles } = (await maya.get('/api/me')).body;
      return [totalMiles, streakCount, streakState, lastActivityDate];
    };
    const latestRun = { startedOn: addDays(today, -2), endedOn: addDays(today, -2) };
    await scoring.publish(creditedFact(maya, 500, { latestRun, streak: { days: 9, freezes: 1 } }));
    await expect.poll(streakOf).toEqual([5, 9, 'frozen', addDays(today, -2)]);
    await scoring.publish(
      creditedFact(maya, 600, { latestRun: { startedOn: today, endedOn: today }, streak: { days: 10, freezes: 0 } }),
    );
    await expect.poll(streakOf).toEqual([6, 10, 'lit', today]);
    const gone = { kind: 'removal', centimiles: -600, latestRun: null };
    await scoring.publish(creditedFact(maya, 0, gone));
    await expect.poll(streakOf).toEqual([0, 0, 'out', null]);
    const bonus = { kind: 'weekly-bonus', logId: null, centimiles: 200, latestRun: null };
    await scoring.publish(creditedFact(maya, 200, bonus));
    await expect.poll(streakOf).toEqual([2, 0, 'out', null]);
  });

  test('[D35] are announced to the open pages of the member, to nobody else', async () => {
    const maya = await identity.signedIn();
    const pages = await listenLive(identity.env, claimsOf(maya).org);
    await scoring.publish(creditedFact(maya, 100));
    await expect.poll(() => pages.kinds).toContain(`me of ${claimsOf(maya).sub}`);
    expect(pages.kinds).not.toContain('me');
    expect(await totalOf(maya)).toBe(1);
    await pages.close();
  });

  test('[D35] miles that are credited are announced to the admins’ list of members', async () => {
    const maya = await identity.signedIn();
    const pages = await listenLive(identity.env, claimsOf(maya).org);
    await scoring.publish(creditedFact(maya, 100));
    await expect.poll(() => pages.kinds).toContain('members');
    await pages.close();
  });

  test('[I9] delivered twice, late or out of order change nothing', async () => {
    const maya = await identity.signedIn();
    const said: Envelope[] = await scoring.publish(creditedFact(maya, 300), creditedFact(maya, 700));
    await expect.poll(() => totalOf(maya)).toBe(7);
    await scoring.redeliver(...said, ...said.toReversed());
    const [last] = await scoring.publish(creditedFact(maya, 900));
    await expect.poll(() => totalOf(maya)).toBe(9);
    await scoring.redeliver(...said, ...(last ? [last] : []));
    const bystander = await identity.signedIn();
    await scoring.publish(creditedFact(bystander, 100));
    await expect.poll(() => totalOf(bystander)).toBe(1);
    expect(await totalOf(maya)).toBe(9);
  });

  test('[G1] are waited for by whoever has just logged', async () => {
    const maya = await identity.signedIn();
    const position = 4_711;
    const reading = totalOf(maya, { 'x-min-position': `activity:${position}` });
    await scoring.publish({ ...creditedFact(maya, 300), positions: { activity: position } });
    expect(await reading).toBe(3);
  });

  test('[D32 I12] that are late news of somebody erased leave no row', async () => {
    const maya = await identity.signedIn();
    const omar = await identity.signedIn();
    const { sub: userId = '' } = decodeJwt(maya.token ?? '');
    const late = creditedFact(maya, 300);
    expect((await maya.call('DELETE', '/api/me', { password })).status).toBe(200);
    await scoring.publish(late, creditedFact(omar, 200));
    await expect.poll(() => totalOf(omar)).toBe(2);
    const applied = `select from msg.applied where consumer_group = 'identity.project-scores' and key = $1`;
    await expect.poll(() => identity.rows(applied, [userId])).toHaveLength(1);
    expect(await identity.rows('select from member_scores where user_id = $1', [userId])).toEqual([]);
  });

  test('[S18] of one member are nobody else’s, nor another organisation’s', async () => {
    const maya = await identity.signedIn();
    const omar = await identity.signedIn();
    await scoring.publish(creditedFact(maya, 500), creditedFact(omar, 200));
    await expect.poll(() => totalOf(maya)).toBe(5);
    await expect.poll(() => totalOf(omar)).toBe(2);
  });

  test('[F10] a message that makes no sense stops its member only', async () => {
    const maya = await identity.signedIn();
    const omar = await identity.signedIn();
    await scoring.publish(creditedFact(maya, 500, { totalCentimiles: 'many' }), creditedFact(omar, 200));
    await expect.poll(() => totalOf(omar)).toBe(2);
    expect(await totalOf(maya)).toBe(0);
  });
});

test('[D1 D2] a founding reaches the others as the contracts say, in order', async () => {
  const { admin, assignedTeam, orgId } = await foundOrganisation(identity, { timeZone: 'Asia/Kathmandu' });
  const { sub: userId } = claimsOf(admin);
  const ofTheirs = () => heard.heard.filter((envelope) => envelope.orgId === orgId);
  await expect.poll(() => ofTheirs().length).toBe(4);
  const [organisation, thunder, blazers, member] = ofTheirs();
  expect(organisationFounded.data.parse(organisation?.data)).toMatchObject({
    name: 'Acme',
    timeZone: 'Asia/Kathmandu',
  });
  const { id: teamId, name, emoji } = assignedTeam;
  expect(teamFormed.data.parse(thunder?.data)).toMatchObject({ teamId, name, emoji });
  expect(teamFormed.data.parse(blazers?.data)).toMatchObject({ name: 'Blazers', emoji: '🔥' });
  expect(memberJoined.data.parse(member?.data)).toMatchObject({
    userId,
    teamId,
    name: 'Maya Okafor',
    role: 'admin',
    timeZone: 'Asia/Kathmandu',
    joinedOn: localDateOf(new Date(organisation?.occurredAt ?? ''), 'Asia/Kathmandu'),
  });
  for (const { key, actorId, positions, position } of ofTheirs()) {
    expect({ key, actorId, positions }).toEqual({ key: orgId, actorId: userId, positions: { identity: position } });
  }
});
