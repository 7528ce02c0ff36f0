import { randomUUID } from '@caravan/contracts/testing/seeded';
import type { NameOptions } from '@caravan/contracts/http/ballots';
import { myDataPath } from '@caravan/contracts/http/my-data';
import { withTenant } from '@caravan/event-store/postgres/connections';
import { openPages } from '@caravan/service-kit/testing/open-pages';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inHours, votesOf, names, startBallots, type BallotsUnderTest } from '../testing/ballots-under-test.ts';
import { memberErased, memberJoined, memberOf, type TestMember } from '../testing/social-under-test.ts';
import { EndBallots } from './end-ballots.job.ts';

let social: BallotsUnderTest;
beforeAll(async () => {
  social = await startBallots();
});
afterAll(() => social.close());

describe('a member', () => {
  test('[2.111 7.33 7.34 3.48 3.49] votes, and sees the tally that was sealed before; admins see the turnout alone', async () => {
    const { orgId, thunder, maya, omar, open, options, vote, list } = await social.teams();
    await open(thunder, { names });
    const voted = await vote(omar, { teamId: thunder, chosenName: ' fo\u200bxes ' });
    expect(voted.status).toBe(200);
    expect(voted.body).toMatchObject({ hasVoted: true, chosenName: 'Foxes' });
    expect(votesOf(voted.body as NameOptions)).toEqual({ Otters: 0, Foxes: 1, Herons: 0 });
    const sealed = (await options(maya)).options;
    const own = (await options(omar)).options;
    expect(sealed && [sealed.hasVoted, sealed.chosenName, votesOf(sealed)]).toEqual([
      false,
      null,
      { Otters: 0, Foxes: 0, Herons: 0 },
    ]);
    expect(own).toEqual(voted.body);
    const [ballot] = await list();
    expect(ballot).toMatchObject({ turnout: { voted: 1, members: 2 } });
    expect(JSON.stringify(ballot)).not.toMatch(new RegExp(`"votes":[0-9]|${omar.userId}`));
    await expect
      .poll(() => social.facts(orgId, 'VoteCast'))
      .toMatchObject([{ key: omar.userId, data: { teamId: thunder } }]);
    const [position] = social.facts(orgId, 'VoteCast').map((fact) => fact.position);
    expect(voted.headers.get('x-event-position')).toContain(`social:${position}`);
    expect(JSON.stringify(social.facts(orgId, 'VoteCast'))).not.toMatch(/Foxes|option/i);
  });

  test('[5.22 S25] votes once, however often at once: 50 tries leave one vote', async () => {
    const { orgId, thunder, omar, open, vote } = await social.teams();
    await open(thunder, { names });
    const tries = await Promise.all(
      Array.from({ length: 50 }, (_, nth) => vote(omar, { teamId: thunder, chosenName: names[nth % 3] })),
    );
    const answers = tries.map(({ status, body }) => (status === 200 ? 200 : `${status} ${String(body['message'])}`));
    expect(answers.toSorted()).toEqual([200, ...Array<string>(49).fill('409 You can only vote once!')]);
    expect(await social.rows(orgId, `select from es.events where org_id = $1 and type = 'VoteCast'`)).toHaveLength(1);
    const sum = 'select sum(votes)::int as votes from ballot_options where org_id = $1';
    expect(await social.rows(orgId, sum)).toEqual([{ votes: 1 }]);
  });

  test('[D38] is answered as before when the same vote comes again under its key', async () => {
    const { thunder, omar, open } = await social.teams();
    await open(thunder, { names });
    const api = await social.as(omar);
    const key = { 'idempotency-key': randomUUID() };
    const send = () => api.post('/api/teams/vote', { teamId: thunder, chosenName: 'Herons' }, key);
    expect([(await send()).status, (await send()).status]).toEqual([200, 200]);
  });

  test('[D20] votes beside forty others at once, and each is counted', async () => {
    const { orgId, thunder, open, vote } = await social.teams();
    await open(thunder, { names });
    const crowd = Array.from({ length: 40 }, (_, nth) => memberOf(orgId, thunder, `Member ${nth}`));
    const said = await social.identity.publish(...crowd.map(memberJoined));
    const header = { 'x-min-position': `identity:${said.at(-1)?.position ?? 0}` };
    await (await social.as(crowd[0] ?? memberOf(orgId, thunder, ''))).get('/api/feed/all', header);
    const votes = await Promise.all(
      crowd.map((one, nth) => vote(one, { teamId: thunder, chosenName: names[nth % 2] })),
    );
    expect(new Set(votes.map(({ status }) => status))).toEqual(new Set([200]));
    const tally = 'select votes from ballot_options where org_id = $1 order by place';
    expect(await social.rows(orgId, tally)).toEqual([{ votes: 20 }, { votes: 20 }, { votes: 0 }]);
  });

  test('[5.22 D20 S25] comes after whoever is at the ballot, in the order of coming: a vote, the end, a second vote', async () => {
    const { orgId, thunder, omar, open, vote } = await social.teams();
    const { id } = await open(thunder, { names });
    const waiting = async () => {
      const { rows } = await social.pool.query<{ pid: number }>(
        `select pid from pg_stat_activity where datname = current_database() and wait_event in ('tuple', 'transactionid')`,
      );
      return rows.length;
    };
    const held = await withTenant(social.pool, orgId, async (tx) => {
      await tx.query('select from ballots where ballot_id = $1 for update', [id]);
      const first = vote(omar, { teamId: thunder, chosenName: 'Foxes' });
      await expect.poll(waiting).toBe(1);
      const end = social.app.get(EndBallots).endDueAt(new Date(inHours(8 * 24)));
      await expect.poll(waiting).toBe(2);
      const second = vote(omar, { teamId: thunder, chosenName: 'Herons' });
      await expect.poll(waiting).toBe(3);
      expect(await social.rows(orgId, `select from es.events where org_id = $1 and type = 'VoteCast'`)).toEqual([]);
      return [first, end, second] as const;
    });
    const [first, , second] = await Promise.all(held);
    expect([first.status, second.status, second.body['message']]).toEqual([200, 409, 'You can only vote once!']);
    const types = await social.rows<{ type: string }>(
      orgId,
      'select type from es.events where org_id = $1 order by pos',
    );
    expect(types.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['BallotOpened', 'VoteCast', 'BallotDecided']),
    );
    expect(types.at(-1)).toEqual({ type: 'BallotDecided' });
    const ranking =
      'select ranking[1] = option_id as won from ballots join ballot_votes using (org_id, ballot_id) where org_id = $1';
    expect(await social.rows(orgId, ranking)).toEqual([{ won: true }]);
  });

  test('[3.21 3.22 3.23] of a ballot names with their votes, who voted for what and when, its time and its winner are kept', async () => {
    const { orgId, thunder, maya, omar, open, vote } = await social.teams();
    const { id, endsAt } = await open(thunder, { names });
    const readKept = (columns: string) =>
      social.rows(
        orgId,
        `select ${columns} from ballots b join ballot_options o using (org_id, ballot_id)
         join ballot_names n using (org_id, ballot_id, option_id)
         left join ballot_votes v using (org_id, ballot_id, option_id) where org_id = $1 order by place`,
      );
    const of = names.map((name) => ({ teamId: thunder, name, votes: 0 }));
    expect(await readKept('team_id, name, votes')).toEqual(of);
    expect(await readKept('opened_at <= now() as is_open, ends_at, decided_at, ranking[1] as winner')).toEqual(
      names.map(() => ({ isOpen: true, endsAt: new Date(endsAt), decidedAt: null, winner: null })),
    );
    await vote(omar, { teamId: thunder, chosenName: 'Foxes' });
    const votes = [null, omar.userId, null].map((userId) => ({
      userId,
      votes: userId ? 1 : 0,
      isDated: userId !== null,
    }));
    expect(await readKept('user_id, votes, voted_at is not null as is_dated')).toEqual(votes);
    expect((await (await social.as(maya, { role: 'admin' })).post(`/api/ballots/${id}/close`, {})).status).toBe(200);
    const won = [false, true, false].map((isWinner) => ({ isOver: true, isWinner }));
    expect(await readKept('decided_at <= now() as is_over, ranking[1] = option_id as is_winner')).toEqual(won);
  });

  test('[5.20 D38 D41] is told what is wrong: another team, no ballot, no such name, no text; nothing is written', async () => {
    const { orgId, thunder, blazers, maya, omar, zoe, open, options, vote } = await social.teams();
    const bad = async (body: object, member = omar) => {
      const { status, body: problem } = await vote(member, body);
      return [status, problem['message']];
    };
    const none = [404, 'There is no such ballot'];
    expect(await bad({ teamId: thunder, chosenName: 'Foxes' })).toEqual(none);
    expect((await options(omar)).status).toBe(404);
    const { id } = await open(thunder, { names });
    expect(await bad({ teamId: thunder, chosenName: 'Foxes' }, zoe)).toEqual(none);
    expect(await bad({ teamId: blazers, chosenName: 'Foxes' })).toEqual(none);
    expect([(await options(zoe, thunder)).status, (await options(maya, blazers)).status]).toEqual([404, 404]);
    expect(await bad({ teamId: 'no-id', chosenName: 'Foxes' })).toEqual(none);
    expect(await bad({ teamId: thunder, chosenName: 'Thunder' })).toEqual([422, 'Choose one of the names']);
    for (const chosenName of [undefined, null, 7, '', ' ', '<b>Foxes</b>', 'F'.repeat(10_000), ['Foxes']])
      expect(await bad({ teamId: thunder, chosenName })).toEqual([422, 'Choose one of the names']);
    for (const teamId of [undefined, null, 7])
      expect(await bad({ teamId, chosenName: 'Foxes' })).toEqual([422, 'Choose a team']);
    const stranger = await social.teams();
    expect((await (await stranger.admin()).patch(`/api/ballots/${id}`, { names })).status).toBe(404);
    expect((await (await stranger.admin()).post(`/api/ballots/${id}/close`, {})).status).toBe(404);
    expect(await social.rows(orgId, `select from es.events where org_id = $1 and type = 'VoteCast'`)).toEqual([]);
  });
});

test('[D35 D20] an open page is told as its reader may see it: the tally to who has voted, nothing of other teams', async () => {
  const { orgId, thunder, maya, omar, zoe, open, options, vote } = await social.teams();
  const readers = [maya, omar, zoe].map(({ userId }) => userId);
  const pages = await openPages(social.env, orgId, { readers, topics: ['ballot'] });
  await open(thunder, { names });
  await vote(omar, { teamId: thunder, chosenName: 'Foxes' });
  await expect
    .poll(async () => {
      for (const member of [maya, omar]) {
        const { chosenName: _own, ...seen } = (await options(member)).options ?? {};
        expect(pages.partGiven(member.userId, 'ballot')).toEqual({ options: seen });
      }
      return pages.partGiven(zoe.userId, 'ballot');
    })
    .toEqual({ options: null });
  await pages.close();
});

test('[D32 D43] the export holds the own votes, which nobody else is told', async () => {
  const { thunder, maya, omar, open, vote } = await social.teams();
  const { id: ballotId } = await open(thunder, { names });
  await vote(omar, { teamId: thunder, chosenName: 'Foxes' });
  const votes = async (member: TestMember) =>
    (await (await social.as(member)).get<{ files: Record<string, object[]> }>(myDataPath)).body.files[
      'team-name-votes'
    ];
  expect(await votes(omar)).toEqual([
    { ballotId, teamId: thunder, chosenName: 'Foxes', votedAt: expect.any(String) as string },
  ]);
  expect(await votes(maya)).toEqual([]);
});

test('[D20] votes of who is erased count on, and names go with their organisation', async () => {
  const { orgId, thunder, omar, maya, open, vote, options } = await social.teams();
  await open(thunder, { names });
  await vote(omar, { teamId: thunder, chosenName: 'Foxes' });
  await vote(maya, { teamId: thunder, chosenName: 'Foxes' });
  const header = await social.tell(orgId, memberErased(omar));
  await (await social.as(maya)).get('/api/feed/all', header);
  expect(votesOf((await options(maya)).options ?? { nameOptions: [] })).toMatchObject({ Foxes: 2 });
  await social.tell(orgId, { type: 'OrganisationClosed', data: { closedAt: '2026-11-21T08:00:00.000Z' } });
  await expect.poll(() => social.rows(orgId, 'select from ballot_names where org_id = $1')).toEqual([]);
});
