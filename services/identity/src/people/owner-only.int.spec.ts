import { randomUUID } from '@caravan/contracts/testing/seeded';
import { managedMembersSchema } from '@caravan/contracts/http/organisations';
import { userProfileSchema } from '@caravan/contracts/http/people';
import { addDays, localDateOf } from '@caravan/contracts/domain/time/local-days';
import { startPeerService } from '@caravan/messaging/testing/peer-service';
import type { PeerService } from '@caravan/messaging/testing/peer-service';
import { listenLive } from '@caravan/service-kit/testing/live-listener';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startIdentity } from '../../testing/identity.ts';
import type { IdentityUnderTest } from '../../testing/identity.ts';
import { claimsOf, idOf, organisation } from '../../testing/organisations.ts';
import type { Visitor } from '../../testing/visitor.ts';

let identity: IdentityUnderTest;
let scoring: PeerService;
beforeAll(async () => {
  identity = await startIdentity({}, true);
  scoring = await startPeerService('scoring', identity.env);
});
afterAll(async () => {
  await scoring.close();
  await identity.close();
});

const today = localDateOf(new Date(), 'UTC');
const earnedAt = '2026-11-16T17:31:00.000Z';

function fact(person: Visitor, type: string, data: object) {
  const { sub: userId, org } = claimsOf(person);
  return { type, version: 1, orgId: org, key: userId, data: { userId, ...data } };
}

/** The events that scoring publishes for a run of five days, of which colleagues may see `shown`. */
const creditedFact = (person: Visitor, shown?: object) =>
  fact(person, 'MilesCredited', {
    entryId: randomUUID(),
    teamId: randomUUID(),
    kind: 'log',
    logId: randomUUID(),
    centimiles: 100,
    creditedOn: today,
    totalCentimiles: 500,
    latestRun: { startedOn: addDays(today, -4), endedOn: today },
    streak: { days: 5, freezes: 1 },
    ...(shown && { shown }),
  });

const badge = (badgeId: string, badgeName: string) => ({ badgeId, badgeName, badgeIcon: '🏅', earnedAt });
const earnedFact = (person: Visitor) => fact(person, 'BadgeEarned', badge('mile-1', 'First Mile'));
const ownEarned = (person: Visitor) => fact(person, 'OwnBadgeEarned', badge('mile-1', 'First Mile'));
const withdrawn = (person: Visitor) => fact(person, 'BadgeWithdrawn', { badgeId: 'mile-1', withdrawnAt: earnedAt });

async function liveThrough() {
  const { admin, maya, omar } = await organisation(identity);
  const profile = async (viewer: Visitor) => {
    const { body } = await viewer.get(`/api/users/${idOf(maya)}`);
    const { totalMiles, streakCount, badges } = userProfileSchema.parse(body);
    return { totalMiles, streakCount, badges };
  };
  const member = async () => {
    const { body } = await admin.get('/api/members?sort=-active');
    const members = managedMembersSchema.parse(body);
    return { first: members[0]?.name, lastActivityDate: members.find(({ id }) => id === idOf(maya))?.lastActivityDate };
  };
  const me = async () => {
    const { streakCount, streakState, lastActivityDate, totalMiles } = (await maya.get('/api/me')).body;
    return { streakCount, streakState, lastActivityDate, totalMiles };
  };
  return { admin, maya, omar, profile, member, me };
}

const ownFigures = { streakCount: 5, streakState: 'lit', lastActivityDate: today, totalMiles: 5 };

describe('a streak and badges that only their owner may see', () => {
  test('[D13 D21 S23] are in no answer to colleagues and admins, and all of them in the owner’s own', async () => {
    const { maya, omar, admin, profile, member, me } = await liveThrough();
    const facts = [creditedFact(maya, { latestRun: null }), ownEarned(maya), creditedFact(omar)];
    const said = await scoring.publish(...facts);
    await scoring.redeliver(...said, ...said.toReversed());
    await expect.poll(me).toEqual(ownFigures);
    await expect.poll(() => profile(maya)).toEqual({ totalMiles: 5, streakCount: 5, badges: ['First Mile'] });
    for (const viewer of [omar, admin])
      expect(await profile(viewer)).toEqual({ totalMiles: 5, streakCount: 0, badges: [] });
    await expect.poll(member).toEqual({ first: 'Ömar 100%', lastActivityDate: null });
  });

  test('[D21] shows colleagues the streak that is for them, and the owner’s own beside it', async () => {
    const { maya, omar, profile, member, me } = await liveThrough();
    const shown = { latestRun: { startedOn: addDays(today, -1), endedOn: today }, streak: { days: 2, freezes: 1 } };
    await scoring.publish(creditedFact(maya, shown));
    await expect.poll(me).toEqual(ownFigures);
    expect((await profile(omar)).streakCount).toBe(2);
    await scoring.publish(
      creditedFact(maya, { latestRun: { startedOn: addDays(today, -9), endedOn: addDays(today, -9) } }),
    );
    await expect.poll(async () => (await member()).lastActivityDate).toBe(addDays(today, -9));
    expect(await me()).toEqual(ownFigures);
    await scoring.publish(creditedFact(maya));
    await expect.poll(async () => (await profile(omar)).streakCount).toBe(5);
  });

  test('[D13 D21] a badge is shown once other data has earned it, and is withdrawn otherwise', async () => {
    const { maya, omar, profile } = await liveThrough();
    const pages = await listenLive(identity.env, claimsOf(maya).org);
    await scoring.publish(ownEarned(maya), withdrawn(maya), ownEarned(maya));
    await expect.poll(async () => (await profile(maya)).badges).toEqual(['First Mile']);
    expect(pages.kinds).not.toContain('people');
    await scoring.publish(withdrawn(maya));
    await expect.poll(async () => (await profile(maya)).badges).toEqual([]);
    await scoring.publish(ownEarned(maya), earnedFact(maya));
    await expect.poll(async () => (await profile(omar)).badges).toEqual(['First Mile']);
    const said = await scoring.publish(withdrawn(maya), creditedFact(maya));
    await scoring.redeliver(...said);
    await expect.poll(async () => (await profile(omar)).totalMiles).toBe(5);
    expect((await profile(omar)).badges).toEqual(['First Mile']);
    await pages.close();
  });
});
