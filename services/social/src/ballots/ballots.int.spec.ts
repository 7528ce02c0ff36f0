import { randomUUID } from '@caravan/contracts/testing/seeded';
import type { Ballot } from '@caravan/contracts/http/ballots';
import { tenancyOf } from '@caravan/service-kit/testing/tenancy';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type BallotsUnderTest,
  companySetUp,
  inHours,
  names,
  startBallots,
  teamFormed,
} from '../testing/ballots-under-test.ts';
import { memberJoined, memberOf } from '../testing/social-under-test.ts';
import { EndBallots } from './end-ballots.job.ts';

let social: BallotsUnderTest;
beforeAll(async () => {
  social = await startBallots();
});
afterAll(() => social.close());

describe('ballots are opened', () => {
  test('[D20] for all teams by the first completed set-up, seven days, four names each, and by no later one', async () => {
    const { orgId, maya, list, options } = await social.teams();
    const setUp = companySetUp();
    const header = await social.tell(orgId, setUp);
    await (await social.as(maya)).get('/api/feed/all', header);
    const opened = await list();
    expect(opened.map(({ team, state }) => [team.name, state]).toSorted()).toEqual([
      ['Blazers', 'open'],
      ['Thunder', 'open'],
    ]);
    const all = opened.flatMap((ballot) => ballot.names.map(({ name }) => name));
    expect([all.length, new Set(all).size]).toEqual([8, 8]);
    const { setUpAt } = setUp.data as { setUpAt: string };
    for (const { endsAt } of opened) expect(Date.parse(endsAt) - Date.parse(setUpAt)).toBe(7 * 86_400_000);
    await (
      await social.as(maya)
    ).get('/api/feed/all', await social.tell(orgId, teamFormed(randomUUID(), 'Newcomers'), companySetUp()));
    expect(await list()).toHaveLength(2);
    expect((await options(maya)).options).toMatchObject({
      state: 'open',
      hasVoted: false,
      chosenName: null,
      result: null,
    });
    await expect.poll(() => social.facts(orgId, 'BallotOpened')).toHaveLength(2);
  });

  test('[D20] not by a set-up of longer ago than ballots last', async () => {
    const { orgId, maya, list } = await social.teams();
    const header = await social.tell(orgId, companySetUp({ setUpAt: '2026-01-05T08:00:00.000Z' }));
    await (await social.as(maya)).get('/api/feed/all', header);
    expect(await list()).toEqual([]);
  });

  test('[D20 D53] by an admin for one team or for all that have none, with names and an end as they like', async () => {
    const { thunder, blazers, admin, open, list } = await social.teams();
    const endsAt = inHours(30);
    const ballot = await open(thunder, { names, endsAt });
    expect(ballot).toMatchObject({ team: { id: thunder, name: 'Thunder' }, endsAt, turnout: { voted: 0, members: 2 } });
    expect(ballot.names).toEqual(names.map((name) => ({ name, votes: null })));
    const rest = await (await admin()).post<Ballot[]>('/api/ballots', {});
    expect([rest.status, rest.body.map(({ team }) => team.id)]).toEqual([201, [blazers]]);
    expect(rest.body[0]?.names.length).toBeGreaterThanOrEqual(3);
    expect((await (await admin()).post('/api/ballots', {})).status).toBe(409);
    expect((await list()).map(({ team }) => team.id)).toEqual([blazers, thunder]);
    const page = await (await admin()).get<Ballot[]>('/api/ballots?limit=1');
    const [, next = ''] = /<([^>]+)>/.exec(page.headers.get('link') ?? '') ?? [];
    expect((await (await admin()).get<Ballot[]>(next)).body.map(({ team }) => team.id)).toEqual([thunder]);
  });

  test('[D20 D38 S05] never beside another one, for a retired or foreign team, with bad names or ends', async () => {
    const { orgId, thunder, blazers, open, admin, maya } = await social.teams();
    await open(thunder, { names });
    const at = async (teamId: string, body: object) => {
      const { status, body: problem } = await (await admin()).post(`/api/teams/${teamId}/ballots`, body);
      return [status, problem['message']];
    };
    expect(await at(thunder, { names })).toEqual([409, 'This team has an open ballot already']);
    expect(await at(randomUUID(), {})).toEqual([404, 'This team does not exist']);
    expect(await at('no-id', {})).toEqual([404, 'Not found']);
    expect(await at(blazers, { names: names.slice(1) })).toEqual([422, 'A ballot offers 3 to 5 names']);
    expect(await at(blazers, { names: [...names, '1', '2', '3'] })).toEqual([422, 'A ballot offers 3 to 5 names']);
    expect(await at(blazers, { names: ['Otters', 'otters', 'Foxes'] })).toEqual([422, 'Each name stands there once']);
    expect(await at(blazers, { names: ['Otters', 'THUNDER', 'Foxes'] })).toEqual([
      422,
      'There is already a team of this name',
    ]);
    expect(await at(blazers, { names: ['Otters', ' ', 'Foxes'] })).toEqual([422, 'Team name is required']);
    expect(await at(blazers, { names: null })).toEqual([422, 'A ballot offers 3 to 5 names']);
    expect(await at(blazers, { endsAt: inHours(-1) })).toEqual([422, 'A ballot ends in the future']);
    expect(await at(blazers, { endsAt: 'soon' })).toEqual([422, 'Invalid date format']);
    const header = await social.tell(orgId, { type: 'TeamRetired', data: { teamId: blazers } });
    await (await social.as(maya)).get('/api/feed/all', header);
    expect(await at(blazers, {})).toEqual([409, 'A retired team has no ballot']);
    expect(await social.rows(orgId, 'select from ballots where org_id = $1')).toHaveLength(1);
    expect(await social.rows(orgId, 'select from ballot_names where org_id = $1')).toHaveLength(3);
    expect((await (await social.as(maya)).post(`/api/teams/${blazers}/ballots`, {})).status).toBe(403);
  });
});

describe('an admin', () => {
  test('[D20 D53] changes names until the first vote; who votes for one that was withdrawn is told so', async () => {
    const { orgId, thunder, omar, open, admin, vote } = await social.teams();
    const { id } = await open(thunder, { names });
    const edit = async (body: object) =>
      (await admin()).patch<Ballot & { message: string }>(`/api/ballots/${id}`, body);
    const others = ['Otters', 'Lynxes', 'Stags', 'Hares'];
    expect((await edit({ names: others })).body.names.map(({ name }) => name)).toEqual(others);
    expect((await vote(omar, { teamId: thunder, chosenName: 'Foxes' })).status).toBe(422);
    expect((await vote(omar, { teamId: thunder, chosenName: 'Stags' })).status).toBe(200);
    const late = await edit({ names });
    expect([late.status, late.body.message]).toEqual([409, 'Somebody has voted: the names stay as they are']);
    const endsAt = inHours(50);
    expect((await edit({ endsAt })).body.endsAt).toBe(endsAt);
    expect((await edit({})).status).toBe(200);
    const kept = 'select name from ballot_names where org_id = $1 order by name';
    expect(await social.rows(orgId, kept)).toEqual(others.toSorted().map((name) => ({ name })));
    await expect
      .poll(() => social.facts(orgId, 'ActAudited').map(({ data }) => (data as { act: string }).act))
      .toEqual(['ballot.opened', 'ballot.edited', 'ballot.edited']);
  });

  test('[D20] closes it early: the ranking goes to identity, and what comes of it is shown for a week', async () => {
    const { orgId, thunder, maya, omar, open, admin, vote, options, list } = await social.teams();
    const { id: ballotId } = await open(thunder, { names });
    await vote(omar, { teamId: thunder, chosenName: 'Foxes' });
    await vote(maya, { teamId: thunder, chosenName: 'Herons' });
    const close = async () => (await admin()).post<Ballot>(`/api/ballots/${ballotId}/close`, {});
    expect((await close()).body).toMatchObject({ state: 'closed', result: null });
    expect((await close()).status).toBe(409);
    expect((await vote(omar, { teamId: thunder, chosenName: 'Foxes' })).body['message']).toBe(
      'You can only vote once!',
    );
    await expect
      .poll(() => social.facts(orgId, 'BallotDecided'))
      .toMatchObject([{ key: orgId, data: { names: ['Foxes', 'Herons'] } }]);
    const named = { type: 'TeamNamedByBallot', data: { teamId: thunder, ballotId, place: 1 } };
    await social.tell(orgId, named);
    await expect.poll(async () => (await options(maya)).options?.state).toBe('decided');
    expect((await options(maya)).options).toMatchObject({ result: { name: 'Herons', passedOver: ['Foxes'] } });
    expect((await list())[0]?.names).toEqual([
      { name: 'Otters', votes: 0 },
      { name: 'Foxes', votes: 1 },
      { name: 'Herons', votes: 1 },
    ]);
    await social.asSystem(`update ballots set decided_at = decided_at - interval '8 days' where ballot_id = $1`, [
      ballotId,
    ]);
    expect([(await options(maya)).status, (await vote(omar, { teamId: thunder, chosenName: 'Foxes' })).status]).toEqual(
      [404, 404],
    );
  });
});

describe('the time of a ballot', () => {
  test('[4.35 D20] is over on the second: nothing more counts, and the sweep catches up with all that are due, once', async () => {
    const { orgId, thunder, blazers, omar, zoe, open, vote, options } = await social.teams();
    for (const teamId of [thunder, blazers]) await open(teamId, { names });
    await vote(omar, { teamId: thunder, chosenName: 'Foxes' });
    const sweep = social.app.get(EndBallots);
    await sweep.endDueAt(new Date(inHours(6 * 24)));
    expect((await options(omar)).options?.state).toBe('open');
    const later = new Date(inHours(8 * 24));
    await Promise.all([sweep.endDueAt(later), sweep.endDueAt(later)]);
    await expect
      .poll(() => social.facts(orgId, 'BallotDecided').map(({ data }) => (data as { names: string[] }).names.length))
      .toHaveLength(2);
    expect((await vote(zoe, { teamId: blazers, chosenName: 'Foxes' })).body['message']).toBe('Voting closed');
    await open(thunder, { names: ['Stags', 'Hares', 'Wolves'] });
    expect((await options(omar)).options).toMatchObject({ state: 'open', hasVoted: false });
  });

  test('[D20] of two teams that choose one name the one whose ballot ended first is decided first', async () => {
    const { orgId, thunder, blazers, admin, open } = await social.teams();
    const endsAt = new Date(Date.now() + 1_000);
    const first = await open(thunder, { names, endsAt: endsAt.toISOString() });
    const second = await open(blazers, { names });
    await expect.poll(() => Date.now() > endsAt.getTime(), { timeout: 5_000 }).toBe(true);
    await (await admin()).post(`/api/ballots/${second.id}/close`, {});
    await expect
      .poll(() => social.facts(orgId, 'BallotDecided').map(({ data }) => (data as { ballotId: string }).ballotId))
      .toEqual([first.id, second.id]);
  });

  test('[S25] while it closes, each vote either counts or is told that voting is closed', async () => {
    const { orgId, thunder, open, vote, admin } = await social.teams();
    const { id } = await open(thunder, { names });
    const crowd = Array.from({ length: 12 }, (_, nth) => memberOf(orgId, thunder, `Member ${nth}`));
    const said = await social.identity.publish(...crowd.map(memberJoined));
    await (await admin()).get('/api/ballots', { 'x-min-position': `identity:${said.at(-1)?.position ?? 0}` });
    const [closed, ...votes] = await Promise.all([
      (await admin()).post(`/api/ballots/${id}/close`, {}),
      ...crowd.map((one) => vote(one, { teamId: thunder, chosenName: 'Foxes' })),
    ]);
    expect(closed.status).toBe(200);
    const counted = votes.filter(({ status }) => status === 200).length;
    expect(votes.filter(({ body }) => body['message'] === 'Voting closed')).toHaveLength(12 - counted);
    const types = await social.rows<{ type: string }>(
      orgId,
      `select type from es.events where org_id = $1 order by version`,
    );
    expect(types.map(({ type }) => type)).toEqual([
      'BallotOpened',
      ...Array<string>(counted).fill('VoteCast'),
      'BallotDecided',
    ]);
  });
});

test('[S18] ballots of one organisation are none of another’s', async () => {
  const { orgId, thunder, open } = await social.teams();
  await open(thunder, { names });
  expect(await tenancyOf(social.pool, orgId)).toMatchObject({ unguarded: [], leaking: [] });
});
