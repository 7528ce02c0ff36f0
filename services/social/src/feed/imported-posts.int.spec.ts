import { randomUUID } from '@caravan/contracts/testing/seeded';
import type { ActivityFeedItem } from '@caravan/contracts/http/activity-feed';
import type { FeedPost } from '@caravan/contracts/http/feed';
import { myDataPath, type MyData } from '@caravan/contracts/http/my-data';
import { eventually } from '@caravan/event-store/testing/eventually';
import { openPages } from '@caravan/service-kit/testing/open-pages';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  memberErased,
  memberJoined,
  memberOf,
  movementLogged,
  privacyChosen,
  startSocial,
} from '../testing/social-under-test.ts';
import type { SocialUnderTest, TestMember } from '../testing/social-under-test.ts';

let social: SocialUnderTest;
beforeAll(async () => {
  social = await startSocial();
});
afterAll(() => social.close());

/** Two of one team. */
async function join(): Promise<[TestMember, TestMember]> {
  const maya = memberOf(randomUUID(), randomUUID(), 'Maya Okafor');
  const omar = memberOf(maya.orgId, maya.teamId, 'Omar Haddad');
  await social.identity.publish(memberJoined(maya), memberJoined(omar));
  const knownMembers = () => social.rows(maya.orgId, 'select from members where org_id = $1');
  await eventually(async () => expect(await knownMembers()).toHaveLength(2));
  return [maya, omar];
}

/** What a platform measured, twice and then once more. */
async function importedFact(member: TestMember, changes: object) {
  const { data, ...about } = movementLogged(member, { activityType: 'Running' });
  const measured = { source: 'strava', audience: 'owner', heartRate: 148, calories: 310 };
  const fact = { ...about, data: { ...data, ...measured, ...changes } };
  const said = await social.activity.publish(fact, fact);
  await social.activity.redeliver(...said);
  const header = { 'x-min-position': `activity:${said.at(-1)?.position ?? 0}` };
  await eventually(async () => expect(await idsOf(member, '/api/feed/mine', header)).toContain(data.logId));
  return { logId: data.logId, fact };
}

async function idsOf(member: TestMember, path: string, header: Record<string, string> = {}): Promise<string[]> {
  const { body } = await (await social.as(member)).get<FeedPost[] | { activities: ActivityFeedItem[] }>(path, header);
  return ('activities' in body ? body.activities : body).map(({ id }) => id);
}

const lists = [
  '/api/feed/all',
  '/api/feed/team',
  '/api/activity-feed/all',
  '/api/activity-feed/team',
  '/api/activity-feed/following',
];

describe('an import for its owner alone', () => {
  test('[D21 S18] stands in the owner’s feeds and in nobody else’s, and does not exist for anybody else', async () => {
    const [maya, omar] = await join();
    const { logId } = await importedFact(maya, {});
    for (const path of [...lists, '/api/feed/mine']) {
      expect(await idsOf(maya, path), path).toEqual([logId]);
      expect(await idsOf(omar, path), path).toEqual([]);
    }
    const own = await social.as(maya);
    const others = await social.as(omar);
    const asked = [
      ['get', `/api/feed/entries/${logId}`],
      ['get', `/api/feed/${logId}/comments`],
      ['get', `/api/feed/${logId}/reactions`],
    ] as const;
    for (const [verb, path] of asked)
      expect([(await own[verb](path)).status, (await others[verb](path)).status], path).toEqual([200, 404]);
    const said = await others.post(`/api/feed/${logId}/comments`, { text: 'Well run' });
    const cheered = await others.post('/api/feed/react', { movementLogId: logId, emoji: '💪' });
    expect([said.status, cheered.status]).toEqual([404, 404]);
  });

  test('[D21 D35] is in no page that is composed for all, and its owner asks for the own one', async () => {
    const [maya, omar] = await join();
    const readers = [maya, omar].map(({ userId }) => userId);
    const topics = ['feed', 'feed-team', 'activities', 'activities-team', 'comments'] as const;
    const pages = await openPages(social.env, maya.orgId, { readers, topics });
    const { logId } = await importedFact(maya, {});
    const shown = await importedFact(omar, { audience: 'organisation' });
    const comment = { text: 'A note to myself' };
    expect((await (await social.as(maya)).post(`/api/feed/${logId}/comments`, comment)).status).toBe(201);
    await expect
      .poll(() => topics.map((topic) => pages.partGiven(maya.userId, topic)))
      .toEqual(['ask', 'ask', 'ask', 'ask', 'ask']);
    await expect.poll(() => JSON.stringify(pages.partGiven(omar.userId, 'feed'))).toContain(shown.logId);
    expect(pages.allTexts()).not.toMatch(new RegExp(`${logId}|note to myself`));
    await pages.close();
  });

  test('[D21 D34] that others had cheered is none of their business once it is its owner’s alone', async () => {
    const [maya, omar] = await join();
    const { logId, fact } = await importedFact(maya, { audience: 'organisation' });
    const others = await social.as(omar);
    expect((await others.post('/api/feed/react', { movementLogId: logId, emoji: '💪' })).status).toBe(200);
    const { durationMinutes, centimiles, loggedOn } = fact.data;
    const previous = { durationMinutes, centimiles, loggedOn };
    const data = { ...fact.data, audience: 'owner', revision: 2, correctedAt: new Date().toISOString(), previous };
    const said = await social.activity.publish({ ...fact, type: 'MovementCorrected', data });
    const header = { 'x-min-position': `activity:${said.at(-1)?.position ?? 0}` };
    await eventually(async () => expect(await idsOf(omar, '/api/feed/all')).toEqual([]));
    expect((await others.get(`/api/feed/${logId}/reactions`)).status).toBe(404);
    expect(await idsOf(maya, '/api/feed/mine', header)).toEqual([logId]);
  });
});

describe('what was measured of a body', () => {
  test('[D18] is shown to its owner, and to others by a consent for each only', async () => {
    const [maya, omar] = await join();
    await importedFact(maya, { audience: 'organisation' });
    const seenBy = async (member: TestMember, header: Record<string, string> = {}) => {
      const { body } = await (
        await social.as(member)
      ).get<{ activities: ActivityFeedItem[] }>('/api/activity-feed/all', header);
      return body.activities.map(({ heartRate, calories }) => [heartRate, calories]);
    };
    await eventually(async () =>
      expect([await seenBy(maya), await seenBy(omar)]).toEqual([[[148, 310]], [[null, null]]]),
    );
    for (const [choice, seen] of [
      [{ shareHeartRate: true }, [148, null]],
      [{ shareCalories: true }, [null, 310]],
      [{ shareHeartRate: true, shareCalories: true }, [148, 310]],
      [{}, [null, null]],
    ] as const) {
      const header = await social.tell(maya.orgId, privacyChosen(maya, choice));
      await eventually(async () => expect(await seenBy(omar, header)).toEqual([seen]));
    }
    expect(await seenBy(maya)).toEqual([[148, 310]]);
  });

  test('[D32 D43 I12] is exported, and forgotten with its member, also what comes late', async () => {
    const [maya, omar] = await join();
    const { fact } = await importedFact(maya, { audience: 'organisation' });
    const { body } = await (await social.as(maya)).get<MyData>(myDataPath);
    expect(body.files['posts']).toMatchObject([{ heartRate: 148, calories: 310, audience: 'organisation' }]);
    await social.tell(maya.orgId, memberErased(maya));
    const readKept = () => social.rows(maya.orgId, 'select heart_rate, calories from posts where org_id = $1');
    await expect.poll(readKept).toEqual([{ heartRate: null, calories: null }]);
    const late = { ...fact, data: { ...fact.data, logId: randomUUID() } };
    await social.activity.publish(late);
    await expect.poll(() => idsOf(omar, '/api/feed/all')).toHaveLength(2);
    const nothing = { heartRate: null, calories: null };
    expect(await readKept()).toEqual([nothing, nothing]);
  });
});
