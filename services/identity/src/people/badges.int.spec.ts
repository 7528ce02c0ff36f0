import type { Envelope } from '@caravan/contracts/events/envelope';
import { userProfileSchema } from '@caravan/contracts/http/people';
import { startPeerService } from '@caravan/messaging/testing/peer-service';
import type { PeerService } from '@caravan/messaging/testing/peer-service';
import { listenLive } from '@caravan/service-kit/testing/live-listener';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startIdentity } from '../../testing/identity.ts';
import type { IdentityUnderTest } from '../../testing/identity.ts';
import { claimsOf } from '../../testing/organisations.ts';
import { password } from '../../testing/visitor.ts';
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

const badgesOf = async (person: Visitor) => {
  const { body } = await person.get(`/api/users/${claimsOf(person).sub}`);
  return userProfileSchema.parse(body).badges;
};

/** What scoring says once a member has a badge. */
function earnedFact(person: Visitor, badgeId: string, badgeName: string, earnedAt = '2026-11-16T17:31:00.000Z') {
  const { sub: userId, org } = claimsOf(person);
  const data = { userId, badgeId, badgeName, badgeIcon: '🏅', earnedAt };
  return { type: 'BadgeEarned', version: 1, orgId: org, key: userId, data };
}

describe('a badge that scoring awarded', () => {
  test('[3.45 2.102] stands in the profile by its name, the latest first, however often it is told', async () => {
    const maya = await identity.signedIn();
    const omar = await identity.signedIn();
    const pages = await listenLive(identity.env, claimsOf(maya).org);
    const said: Envelope[] = await scoring.publish(
      earnedFact(maya, 'first-log', 'First Steps'),
      earnedFact(maya, 'mile-1', 'First Mile', '2026-11-17T17:31:00.000Z'),
    );
    await expect.poll(() => badgesOf(maya)).toEqual(['First Mile', 'First Steps']);
    await scoring.redeliver(...said, ...said.toReversed());
    await scoring.publish(earnedFact(maya, 'first-log', 'First Steps'), earnedFact(omar, 'first-log', 'First Steps'));
    await expect.poll(() => badgesOf(omar)).toEqual(['First Steps']);
    expect(await badgesOf(maya)).toEqual(['First Mile', 'First Steps']);
    await expect.poll(() => [...pages.kinds]).toContain('people');
    await pages.close();
  });

  test('[D32 I12] goes with its member, and comes back by no late news', async () => {
    const maya = await identity.signedIn();
    const omar = await identity.signedIn();
    await scoring.publish(earnedFact(maya, 'first-log', 'First Steps'));
    await expect.poll(() => badgesOf(maya)).toEqual(['First Steps']);
    const late = earnedFact(maya, 'mile-1', 'First Mile');
    const { sub: userId } = claimsOf(maya);
    expect((await maya.call('DELETE', '/api/me', { password })).status).toBe(200);
    await scoring.publish(late, earnedFact(omar, 'first-log', 'First Steps'));
    await expect.poll(() => badgesOf(omar)).toEqual(['First Steps']);
    expect(await identity.rows('select from member_badges where user_id = $1', [userId])).toEqual([]);
  });
});
