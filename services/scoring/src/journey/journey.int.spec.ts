import { randomUUID } from '@caravan/contracts/testing/seeded';
import { eventually } from '@caravan/event-store/testing/eventually';
import { galleryBadgesSchema } from '@caravan/contracts/http/badges';
import { journeySchema, routeSchema, type Journey } from '@caravan/contracts/http/journeys';
import { addDays, localDateOf } from '@caravan/contracts/domain/time/local-days';
import { checkpointReached } from '@caravan/contracts/events/scoring.events';
import { operations } from '@caravan/contracts/http/operations';
import type { Operation } from '@caravan/contracts/http/operations/operation';
import { createPatientPool, withSystem, withTenant } from '@caravan/event-store/postgres/connections';
import { onlyReading } from '@caravan/event-store/postgres/reading';
import { listenTo, type Listener } from '@caravan/messaging/testing/listener';
import { listenLive } from '@caravan/service-kit/testing/live-listener';
import { tenancyOf } from '@caravan/service-kit/testing/tenancy';
import { z } from 'zod';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { minPosition, startScoring } from '../testing/scoring-under-test.ts';
import { UpdateJourneys } from './update-journeys.job.ts';
import type { ScoringUnderTest, TestLog, TestMember } from '../testing/scoring-under-test.ts';

let scoring: ScoringUnderTest;
let listener: Listener;
beforeAll(async () => {
  scoring = await startScoring();
  listener = await listenTo('scoring', scoring.env);
});
afterAll(async () => {
  await listener.close();
  await scoring.close();
});

const today = () => localDateOf(new Date(), 'Europe/Berlin');
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);

/** Maya in Thunder, Omar in Blazers; their journey began on 1 January. */
async function twoTeams() {
  const org = await scoring.foundOrganisation(['Maya', 'Omar']);
  const [maya, omar] = org.members;
  const [thunder, blazers] = org.teams;
  if (!maya || !omar || !thunder || !blazers) throw new Error('two members of two teams');
  await eventually(async () => {
    const known = `select from journeys join members using (org_id) where org_id = $1`;
    expect(await scoring.rows(org.orgId, known)).toHaveLength(2);
  });
  return { ...org, maya, omar, thunder, blazers };
}

async function journeyOf(member: TestMember, header: Record<string, string> = {}): Promise<Journey> {
  const { status, body } = await (await scoring.as(member)).get('/api/journey', header);
  expect(status).toBe(200);
  return journeySchema.strict().parse(body);
}

/** Logs all of it, delivers all of it again, and reads the journey. */
async function afterLogging(member: TestMember, ...logs: readonly Partial<TestLog>[]): Promise<Journey> {
  const said = await scoring.log(member, ...logs);
  await scoring.activity.redeliver(...said);
  return journeyOf(member, minPosition('activity', said));
}

async function choose(member: TestMember, body: object) {
  const { status, body: answer } = await (await scoring.as(member, { role: 'admin' })).put('/api/journey', body);
  return { status, answer };
}

const placeIn = ({ teams }: Journey, name: string) => teams.find((team) => team.name === name);
const arrivals = (orgId: string) =>
  listener.heard
    .filter(({ type, orgId: whose }) => type === 'CheckpointReached' && whose === orgId)
    .map(({ data }) => checkpointReached.data.parse(data));

describe('a founded organisation', () => {
  test('[D33 D43] is on a short route from its founding, its teams at the start', async () => {
    const { maya, said, orgId } = await twoTeams();
    await scoring.identity.redeliver(...said);
    const { route, startedAt, teams, reached, routes } = await journeyOf(maya);
    expect([route.id, route.totalMiles, startedAt]).toEqual(['hadrians-wall', 84, '2026-01-01T08:00:00.000Z']);
    expect(
      teams.map(({ name, miles, lastCheckpoint, nextCheckpoint, milesToNext }) => [
        name,
        miles,
        lastCheckpoint,
        nextCheckpoint,
        milesToNext,
      ]),
    ).toEqual([
      ['Thunder', 0, null, 'Newcastle upon Tyne', 5],
      ['Blazers', 0, null, 'Newcastle upon Tyne', 5],
    ]);
    expect([reached, routes.length >= 5]).toEqual([[], true]);
    expect(await scoring.rows(orgId, `select from es.events where org_id = $1 and category = 'journey'`)).toHaveLength(
      1,
    );
  });

  test('[D33 D3] every route with its stops is an admin’s to look at, the shortest first', async () => {
    const { maya, omar } = await twoTeams();
    const { status, body } = await (await scoring.as(maya, { role: 'admin' })).get('/api/journey/routes');
    expect(status).toBe(200);
    const routes = z.array(routeSchema.strict()).min(5).parse(body);
    const offered = (await journeyOf(maya)).routes;
    expect(routes.map(({ id, name, totalMiles }) => ({ id, name, totalMiles }))).toEqual(offered);
    expect(routes.map(({ totalMiles }) => totalMiles)).toEqual(
      routes.map(({ totalMiles }) => totalMiles).toSorted((one, other) => one - other),
    );
    expect((await (await scoring.as(omar)).get('/api/journey/routes')).status).toBe(403);
  });

  test('[D33] that is not known yet is shown at the start of the first route, and nothing is written for it', async () => {
    const stranger = { userId: randomUUID(), orgId: randomUUID(), teamId: randomUUID(), name: 'Old' };
    expect((await journeyOf(stranger)).route.id).toBe('hadrians-wall');
    expect((await journeyOf(stranger)).teams).toEqual([]);
    expect(await scoring.rows(stranger.orgId, 'select from es.events where org_id = $1')).toEqual([]);
  });

  test('[D33 D49] from before there were journeys begins one by a job, which notes forgotten arrivals as well', async () => {
    const { maya, orgId } = await twoTeams();
    await afterLogging(maya, { centimiles: 700 });
    await eventually(async () => expect(arrivals(orgId).length).toBeGreaterThan(0));
    const owner = createPatientPool(scoring.ownerUrl);
    await withSystem(owner, (tx) =>
      tx.query(`delete from es.events where org_id = $1 and category = 'journey'`, [orgId]),
    );
    await owner.end();
    await scoring.asSystem('delete from journey_arrivals where org_id = $1', [orgId]);
    await scoring.asSystem('delete from journeys where org_id = $1', [orgId]);
    expect(placeIn(await journeyOf(maya), 'Thunder')).toMatchObject({ miles: 0 });
    const job = scoring.app.get(UpdateJourneys);
    await job.update();
    expect(await scoring.rows(orgId, 'select from journeys where org_id = $1')).toHaveLength(1);
    await job.update();
    expect(await scoring.rows(orgId, 'select from journey_arrivals where org_id = $1')).not.toEqual([]);
  });
});

describe('a team', () => {
  test('[D33 D43] moves with the miles of its members, at once; the other stays', async () => {
    const { maya, orgId } = await twoTeams();
    const pages = await listenLive(scoring.env, orgId);
    const after = await afterLogging(maya, { centimiles: 620 });
    expect(placeIn(after, 'Thunder')).toMatchObject({
      miles: 6.2,
      lastCheckpoint: 'Newcastle upon Tyne',
      nextCheckpoint: 'Heddon-on-the-Wall',
      milesToNext: 8.8,
    });
    expect(placeIn(after, 'Blazers')).toMatchObject({ miles: 0, lastCheckpoint: null });
    await eventually(async () => expect(pages.kinds).toContain('journey'));
    await pages.close();
  });

  test('[D33] arrives once at each checkpoint it passes, with everybody who has earned miles for it', async () => {
    const { maya, omar, orgId, thunder } = await twoTeams();
    const helper = { ...omar, teamId: thunder.teamId };
    await afterLogging(helper, { centimiles: 100 });
    await afterLogging(maya, { centimiles: 300 });
    await afterLogging(maya, { centimiles: 1_200 });
    await eventually(async () => expect(arrivals(orgId)).toHaveLength(2));
    expect(arrivals(orgId)).toMatchObject([
      { teamId: thunder.teamId, checkpointName: 'Newcastle upon Tyne', mileMark: 5, isLast: false },
      { teamId: thunder.teamId, checkpointName: 'Heddon-on-the-Wall', mileMark: 15, isLast: false },
    ]);
    for (const { contributors } of arrivals(orgId)) expect(contributors).toEqual([maya.userId, omar.userId].toSorted());
    await afterLogging(maya, { centimiles: 10 });
    const { reached } = await journeyOf(maya);
    expect(reached.map(({ checkpoint }) => checkpoint)).toEqual(['Newcastle upon Tyne', 'Heddon-on-the-Wall']);
    expect((await journeyOf(omar)).reached).toEqual([]);
    expect(arrivals(orgId)).toHaveLength(2);
  });

  test('[D33 D40] whose members contributed earns them the badges of the road, once', async () => {
    const { maya, omar, orgId } = await twoTeams();
    await afterLogging(maya, { centimiles: 8_400 });
    await eventually(async () => {
      const { body } = await (await scoring.as(maya)).get('/api/badges/all');
      const own = galleryBadgesSchema.parse(body).filter(({ category }) => category === 'Journey');
      expect(own.map(({ isEarned }) => isEarned)).toEqual([true, true]);
    });
    await eventually(async () => expect(arrivals(orgId).filter(({ isLast }) => isLast)).toHaveLength(1));
    await scoring.log(maya, { centimiles: 100 });
    const { body } = await (await scoring.as(omar)).get('/api/user/badges');
    expect(body).toEqual([]);
    const told = listener.heard.filter(({ type, key }) => type === 'BadgeEarned' && key === maya.userId);
    const ids = told.map(({ data }) => (data as { badgeId: string }).badgeId);
    expect(ids.filter((id) => id.startsWith('first-c') || id === 'first-route').toSorted()).toEqual([
      'first-checkpoint',
      'first-route',
    ]);
  });

  test('[D2 D33] that is retired stays on the map while it has miles; one formed later starts at the beginning', async () => {
    const { maya, orgId, thunder, blazers } = await twoTeams();
    await afterLogging(maya, { centimiles: 200 });
    const teamId = randomUUID();
    const formed = { teamId, name: 'Newcomers', emoji: '🐣', formedAt: new Date().toISOString() };
    const header = await scoring.tell(
      orgId,
      { type: 'TeamFormed', data: formed },
      { type: 'TeamRetired', data: { teamId: thunder.teamId } },
      { type: 'TeamRetired', data: { teamId: blazers.teamId } },
    );
    const { teams } = await journeyOf(maya, header);
    expect(teams.map(({ name, miles }) => [name, miles])).toEqual([
      ['Thunder', 2],
      ['Newcomers', 0],
    ]);
  });
});

describe('an admin', () => {
  test('[D33] chooses route and start: what was earned since counts, arrivals bear the day on which they happened', async () => {
    const { maya, orgId } = await twoTeams();
    const logs = [40, 30, 20, 10].map((ago) => ({ startedAt: daysAgo(ago), centimiles: 1_000 }));
    await afterLogging(maya, ...logs);
    const startsOn = addDays(today(), -32);
    const { status, answer } = await choose(maya, { routeId: 'west-highland-way', startsOn });
    expect(status).toBe(200);
    const { route, teams, reached } = journeySchema.parse(answer);
    expect([route.id, teams[0]?.miles, teams[0]?.lastCheckpoint]).toEqual(['west-highland-way', 30, 'Rowardennan']);
    const days = reached.map(({ checkpoint, reachedAt }) => [checkpoint, reachedAt.slice(0, 10)]);
    const on = (ago: number) => localDateOf(daysAgo(ago), 'Europe/Berlin');
    expect(days).toEqual([
      ['Drymen', on(20)],
      ['Balmaha', on(20)],
      ['Rowardennan', on(10)],
    ]);
    const again = await choose(maya, { routeId: 'west-highland-way', startsOn });
    expect([again.status, journeySchema.parse(again.answer).reached]).toEqual([200, reached]);
    const started = await scoring.rows(orgId, `select from es.events where org_id = $1 and type = 'JourneyStarted'`);
    expect(started).toHaveLength(2);
  });

  test('[D33] who names no start begins today, with nothing of before', async () => {
    const { maya } = await twoTeams();
    await afterLogging(maya, { centimiles: 900, startedAt: daysAgo(2) });
    await choose(maya, { routeId: 'camino-frances' });
    expect(placeIn(await journeyOf(maya), 'Thunder')).toMatchObject({ miles: 0, milesToNext: 15 });
    expect(placeIn(await afterLogging(maya, { centimiles: 90 }), 'Thunder')).toMatchObject({ miles: 0.9 });
  });

  test('[D33 D38] cannot choose what is no route, nor a day to come; nothing changes', async () => {
    const { maya } = await twoTeams();
    const before = await journeyOf(maya);
    const problems = [
      await choose(maya, { routeId: 'to-the-moon' }),
      await choose(maya, { routeId: 'route-66', startsOn: addDays(today(), 1) }),
      await choose(maya, { routeId: 'route-66', startsOn: 'soon' }),
      await choose(maya, {}),
    ];
    expect(problems.map(({ status }) => status)).toEqual([422, 422, 422, 422]);
    expect(problems.map(({ answer }) => answer['message'])).toMatchObject([
      'Choose a route',
      'The journey cannot start in the future',
      expect.any(String),
      'Choose a route',
    ]);
    expect(await journeyOf(maya)).toEqual(before);
  });

  test('[D33] reports no position of arrivals, which belong to all: nobody’s reads could wait for it', async () => {
    const { maya, orgId } = await twoTeams();
    await afterLogging(maya, { centimiles: 5_000 });
    const admin = await scoring.as(maya, { role: 'admin' });
    const isOnCamino = ({ routeId }: { routeId: string }) => routeId === 'camino-frances';
    const { status, headers } = await admin.put('/api/journey', { routeId: 'camino-frances' });
    expect(status).toBe(200);
    await eventually(async () => expect(arrivals(orgId).filter(isOnCamino)).not.toEqual([]));
    // What is reported is the admin's own entry in the audit log.
    const reported = Number(/^scoring:(\d+)@/.exec(headers.get('x-event-position') ?? '')?.[1]);
    await eventually(async () => {
      const fact = listener.heard.find(({ position, orgId: whose }) => position === reported && whose === orgId);
      expect(fact).toMatchObject({ type: 'ActAudited', key: maya.userId });
    });
  });

  test('[D3 D33] alone may choose; who has no session sees nothing', async () => {
    const { maya } = await twoTeams();
    expect((await (await scoring.as(maya)).put('/api/journey', { routeId: 'route-66' })).status).toBe(403);
    expect((await scoring.nobody.get('/api/journey')).status).toBe(401);
  });
});

test('[ADR-0030] what a read opens is read-only: a statement that writes fails, whoever began it', async () => {
  const { maya, orgId } = await twoTeams();
  const write = () =>
    withTenant(scoring.pool, orgId, (tx) =>
      tx.query('update members set name = name where org_id = $1 and user_id = $2', [orgId, maya.userId]),
    );
  await expect(onlyReading(write)).rejects.toMatchObject({ code: '25006' });
  await expect(write()).resolves.toMatchObject({ rowCount: 1 });
  // Every read of this service, of somebody whose organisation nobody has looked at yet.
  const reads = Object.values<Operation>(operations).filter(
    ({ method, service }) => method === 'get' && service === 'scoring',
  );
  const api = await scoring.as(maya, { role: 'admin' });
  const writtenArrivals = () =>
    scoring.rows(orgId, 'select category, count(*)::int as n from es.events where org_id = $1 group by 1 order by 1');
  // The first bonus challenge of a new organisation is opened by a job.
  await eventually(async () =>
    expect(await writtenArrivals()).toEqual(
      expect.arrayContaining([expect.objectContaining({ category: 'bonus-challenge' })]),
    ),
  );
  const before = await writtenArrivals();
  for (const { path } of reads)
    expect([path, (await api.get(path.replace('{id}', orgId))).status < 500]).toEqual([path, true]);
  expect(await writtenArrivals()).toEqual(before);
});

test('[S18] no row of a journey is visible to another organisation', async () => {
  const { maya } = await twoTeams();
  await afterLogging(maya, { centimiles: 700 });
  await eventually(async () => {
    const { unguarded, leaking, proven } = await tenancyOf(scoring.pool, randomUUID());
    expect([unguarded, leaking]).toEqual([[], []]);
    expect(proven).toEqual(
      expect.arrayContaining(['journeys', 'journey_arrivals', 'team_days', 'team_contributors', 'member_badges']),
    );
  });
});
