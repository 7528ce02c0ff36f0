import { randomUUID } from '@caravan/contracts/testing/seeded';
import { listenTo, type Listener } from '@caravan/messaging/testing/listener';
import { startPeerService, type PeerService } from '@caravan/messaging/testing/peer-service';
import { listenLive } from '@caravan/service-kit/testing/live-listener';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startIdentity, type IdentityUnderTest } from '../../testing/identity.ts';
import { idOf, organisation } from '../../testing/organisations.ts';
import { password, type Visitor } from '../../testing/visitor.ts';

let identity: IdentityUnderTest;
let social: PeerService;
let listener: Listener;
beforeAll(async () => {
  identity = await startIdentity({}, true);
  social = await startPeerService('social', identity.env);
  listener = await listenTo('identity', identity.env);
});
afterAll(async () => {
  await Promise.all([social.close(), listener.close()]);
  await identity.close();
});

const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();

/** An organisation, and what social says of a ballot of one of its teams, each fact twice. */
async function ballotOf(teamOf: 'thunder' | 'blazers' = 'thunder') {
  const found = await organisation(identity);
  const ids = { ballotId: randomUUID(), teamId: found[teamOf] };
  const say = async (key: string, type: string, data: object) => {
    const fact = { type, version: 1, orgId: found.orgId, key, data: { ...ids, ...data } };
    const said = await social.publish(fact, fact);
    await social.redeliver(...said);
    return { 'x-min-position': `social:${said.at(-1)?.position ?? 0}` };
  };
  return {
    ...found,
    ...ids,
    opens: (endsAt = inHours(24)) => say(found.orgId, 'BallotOpened', { openedAt: inHours(-1), endsAt }),
    moves: (endsAt: string) => say(found.orgId, 'BallotRescheduled', { endsAt }),
    votes: (person: Visitor) => say(idOf(person), 'VoteCast', { userId: idOf(person), votedAt: inHours(0) }),
    decides: (...names: string[]) => say(found.orgId, 'BallotDecided', { names, decidedAt: inHours(0) }),
  };
}

const hasVoted = async (person: Visitor, header = {}) =>
  (await person.get('/api/me', header)).body['hasVotedThisChallenge'];
const teamNames = async (admin: Visitor) =>
  ((await admin.get('/api/teams')).body as unknown as { name: string }[]).map(({ name }) => name);
const facts = (orgId: string, type: string) =>
  listener.heard.filter((fact) => fact.orgId === orgId && fact.type === type).map(({ data }) => data as object);

describe('hasVotedThisChallenge', () => {
  test('[D20 2.63] is false while the own team votes without oneself, and true at once after the vote', async () => {
    const { opens, votes, decides, omar, maya, orgId } = await ballotOf();
    expect(await hasVoted(omar)).toBe(true);
    const pages = await listenLive(identity.env, orgId);
    await opens();
    await expect.poll(() => hasVoted(omar)).toBe(false);
    expect(await hasVoted(maya)).toBe(true);
    // Whoever has voted reads what they have done (ADR 0009).
    expect(await hasVoted(omar, await votes(omar))).toBe(true);
    await expect.poll(() => pages.kinds).toContain(`me of ${idOf(omar)}`);
    await pages.close();
    await decides();
    const rows = 'select from open_ballots where org_id = $1';
    await expect.poll(() => identity.rows(rows, [orgId])).toEqual([]);
  });

  test('[4.35 D20] is true again once the time is over, also before anybody has counted; a moved end counts', async () => {
    const { opens, moves, omar } = await ballotOf();
    await opens(inHours(-0.5));
    expect(await hasVoted(omar)).toBe(true);
    await moves(inHours(5));
    await expect.poll(() => hasVoted(omar)).toBe(false);
  });

  test('[D20 D32] follows the member to another team, and is forgotten with them', async () => {
    const { opens, votes, omar, admin, blazers, orgId } = await ballotOf('blazers');
    await opens();
    await expect.poll(() => identity.rows('select from open_ballots where org_id = $1', [orgId])).toHaveLength(1);
    expect(await hasVoted(omar)).toBe(true);
    await admin.call('PATCH', `/api/members/${idOf(omar)}`, { teamId: blazers });
    expect(await hasVoted(omar)).toBe(false);
    expect(await hasVoted(omar, await votes(omar))).toBe(true);
    await omar.call('DELETE', '/api/me', { password });
    expect(await identity.rows('select from ballot_voters where org_id = $1', [orgId])).toEqual([]);
    await votes(omar);
    await votes(admin);
    await expect.poll(() => identity.rows('select from ballot_voters where org_id = $1', [orgId])).toHaveLength(1);
  });
});

describe('a decided ballot', () => {
  test('[D20] renames the team everywhere, without an admin, once, and says so in the audit log', async () => {
    const { decides, admin, omar, orgId, teamId, ballotId } = await ballotOf();
    const pages = await listenLive(identity.env, orgId);
    await decides('Otters', 'Foxes');
    await expect.poll(() => teamNames(admin)).toContain('Otters');
    expect((await omar.get('/api/me')).body['team']).toMatchObject({ name: 'Otters', emoji: '⚡' });
    await expect
      .poll(() => facts(orgId, 'TeamNamedByBallot'))
      .toEqual([{ teamId, ballotId, place: 0, name: 'Otters' }]);
    expect(facts(orgId, 'TeamRenamed')).toEqual([{ teamId, name: 'Otters', emoji: '⚡' }]);
    const acts = `select actor_id from audit.entries where org_id = $1 and act = 'team.renamed'`;
    expect(await identity.rows(acts, [orgId])).toEqual([{ actorId: null }]);
    await expect.poll(() => [...pages.kinds]).toEqual(expect.arrayContaining(['teams', 'members', 'people', 'me']));
    await pages.close();
  });

  test('[D20] gives the next best name when one was taken meanwhile, in any case, and keeps the old one when all are', async () => {
    const { decides, admin, orgId, teamId } = await ballotOf();
    await admin.post('/api/teams', { name: 'OTTERS', emoji: '🦦' });
    await decides('Otters', 'Blazers', 'Foxes');
    await expect.poll(() => facts(orgId, 'TeamNamedByBallot')).toMatchObject([{ teamId, place: 2 }]);
    expect(await teamNames(admin)).toContain('Foxes');
    const next = await social.publish({
      type: 'BallotDecided',
      version: 1,
      orgId,
      key: orgId,
      data: { ballotId: randomUUID(), teamId, names: ['Blazers', 'otters'], decidedAt: inHours(0) },
    });
    expect(next).toHaveLength(1);
    await expect
      .poll(() => facts(orgId, 'TeamNamedByBallot'))
      .toMatchObject([
        { place: 2, name: 'Foxes' },
        { place: null, name: 'Foxes' },
      ]);
    expect(await teamNames(admin)).toContain('Foxes');
  });

  test('[D20] that nobody voted in changes nothing; one of the present name renames nothing', async () => {
    const { decides, admin, orgId } = await ballotOf();
    await decides();
    await expect.poll(() => facts(orgId, 'TeamNamedByBallot')).toMatchObject([{ place: null }]);
    expect((await teamNames(admin)).toSorted()).toEqual(['Blazers', 'Thunder']);
    const { decides: again, orgId: otherId } = await ballotOf();
    await again('Thunder', 'Otters');
    await expect.poll(() => facts(otherId, 'TeamNamedByBallot')).toMatchObject([{ place: 0 }]);
    expect(facts(otherId, 'TeamRenamed')).toEqual([]);
  });
});
