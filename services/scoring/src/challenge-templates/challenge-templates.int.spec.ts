import { actAudited } from '@caravan/contracts/events/audit.events';
import { challengeTemplatesSchema, weeklyChallengesSchema } from '@caravan/contracts/http/challenges';
import { versionOf } from '@caravan/contracts/domain/version';
import { type Listener, listenTo } from '@caravan/messaging/testing/listener';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { minPosition, startScoring } from '../testing/scoring-under-test.ts';
import type { ScoringUnderTest } from '../testing/scoring-under-test.ts';
import { WeeksService } from '../weekly-challenges/weeks.service.ts';
import { defaultTemplates } from './templates.ts';

const path = '/api/challenge-templates';
let scoring: ScoringUnderTest;
let heard: Listener;
beforeAll(async () => {
  scoring = await startScoring();
  heard = await listenTo('scoring', scoring.env);
});
afterAll(async () => {
  await heard.close();
  await scoring.close();
});

async function foundOrganisation() {
  const { orgId, members, said } = await scoring.foundOrganisation(['Maya']);
  const [maya] = members;
  if (!maya) throw new Error('a member');
  const admin = await scoring.as(maya, { role: 'admin' });
  const member = await scoring.as(maya);
  await admin.get(path, minPosition('identity', said));
  const list = async () => challengeTemplatesSchema.parse((await admin.get(path)).body);
  return { orgId, maya, admin, member, list };
}

const fourth = {
  name: 'Move 60 minutes',
  description: '',
  targetValue: 60,
  targetUnit: 'minutes',
  bonusMiles: 0.5,
  challengeType: 'individual',
};

describe('challenge templates', () => {
  test('[D3 D14 D32] are for admins only', async () => {
    const { member } = await foundOrganisation();
    expect((await member.get(path)).status).toBe(403);
    expect((await member.put(path, defaultTemplates)).status).toBe(403);
    expect((await scoring.nobody.get(path)).status).toBe(401);
  });

  test("[9.24 D14] are the product's own until an admin says otherwise", async () => {
    expect(await (await foundOrganisation()).list()).toEqual(defaultTemplates);
  });

  test('[D14 D38] are replaced on the list that the admin has seen, and not on another', async () => {
    const { admin, list } = await foundOrganisation();
    const before = { 'if-match': `"${versionOf(await list())}"` };
    expect((await admin.put(path, [...defaultTemplates, fourth], before)).status).toBe(200);
    const stale = await admin.put(path, defaultTemplates, before);
    expect([stale.status, stale.body]).toMatchObject([412, { code: 'request/changed-meanwhile' }]);
    expect(await list()).toHaveLength(4);
  });

  test('[D14] make the weeks to come; the running week keeps what it began with', async () => {
    const { orgId, admin, list, member } = await foundOrganisation();
    const before = weeklyChallengesSchema.parse((await member.get('/api/weekly-challenges')).body);
    const [walk, ...others] = defaultTemplates;
    if (!walk) throw new Error('there are defaults');
    const put = await admin.put(path, [{ ...walk, targetValue: 12.5, name: 'Walk far' }, ...others, fourth]);
    expect(put.status).toBe(200);
    const stored = await list();
    expect(put.body).toEqual(stored);
    expect(stored.map(({ name, isActive }) => [name, isActive])).toEqual([
      ['Walk far', true],
      ['Log 5 days', true],
      ['Team reaches 50 miles', true],
      ['Move 60 minutes', true],
    ]);
    expect(stored[0]?.id).toBe('walk-5-miles');
    expect((await member.get('/api/weekly-challenges')).body).toEqual(before);
    // Off, it is kept and takes no part.
    await admin.put(
      path,
      stored.map((one) => ({ ...one, isActive: one.name !== 'Move 60 minutes' })),
    );
    const next = await scoring.app.get(WeeksService).running(orgId, new Date(Date.now() + 14 * 86_400_000));
    expect(next.map(({ name, targetValue, bonusMiles }) => [name, targetValue, bonusMiles])).toEqual([
      ['Walk far', 12.5, 1],
      ['Log 5 days', 5, 1.5],
      ['Team reaches 50 miles', 50, 2],
    ]);
  });

  test('[D4 D38] that name what the organisation does not have, or make no full week, change nothing', async () => {
    const { admin, list } = await foundOrganisation();
    const other = await foundOrganisation();
    const foreign = await other.admin.put<{ id: string }[]>(path, [...defaultTemplates, fourth]);
    const foreignId = foreign.body.at(-1)?.id;
    expect((await admin.put(path, [...defaultTemplates, { ...fourth, id: foreignId }])).status).toBe(404);
    for (const body of [
      [],
      defaultTemplates.slice(1),
      [...defaultTemplates, defaultTemplates[0]],
      { not: 'a list' },
      ...[
        { name: ' \u200b' },
        { targetValue: 0 },
        { targetValue: -5 },
        { targetValue: 0.001 },
        { targetUnit: 'steps' },
      ].map((wrong) => [...defaultTemplates, { ...fourth, ...wrong }]),
      ...[{ bonusMiles: 101 }, { bonusMiles: -1 }, { challengeType: 'duel' }, { name: 'x'.repeat(61) }].map((wrong) => [
        ...defaultTemplates,
        { ...fourth, ...wrong },
      ]),
    ])
      expect([body, (await admin.put(path, body)).status]).toEqual([body, 422]);
    expect(await list()).toEqual(defaultTemplates);
  });
});

describe('what an admin does here, and what a member is refused', () => {
  const actsIn = (orgId: string) =>
    heard.heard
      .filter((fact) => fact.orgId === orgId && fact.type === 'ActAudited')
      .map(({ data, key, actorId }) => ({ ...actAudited.data.parse(data), key, actorId }));

  test('[S38] goes to the audit log with whoever did it and from where: templates, journeys, refused calls', async () => {
    const { orgId, maya, admin, member } = await foundOrganisation();
    const firefox = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0' };
    expect((await admin.put(path, defaultTemplates, firefox)).status).toBe(200);
    expect((await admin.put(path, [defaultTemplates[0], defaultTemplates[0]])).status).toBe(422);
    expect((await admin.put('/api/journey', { routeId: 'route-66' })).status).toBe(200);
    for (let nth = 0; nth < 10; nth += 1) expect((await member.put(path, defaultTemplates)).status).toBe(403);
    const by = { key: maya.userId, actorId: maya.userId };
    await expect.poll(() => actsIn(orgId)).toHaveLength(3);
    expect(actsIn(orgId)).toMatchObject([
      { ...by, act: 'challenge.templates-saved', count: 3, device: 'Firefox on Linux' },
      { ...by, act: 'journey.started', text: 'Route 66' },
      { ...by, act: 'access.refused', text: 'PUT /api/challenge-templates' },
    ]);
  });
});
