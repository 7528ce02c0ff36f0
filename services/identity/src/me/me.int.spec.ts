import { randomUUID } from '@caravan/contracts/testing/seeded';
import { meSchema } from '@caravan/contracts/http/accounts';
import { addDays, localDateOf } from '@caravan/contracts/domain/time/local-days';
import { withSystem } from '@caravan/event-store/postgres/connections';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type IdentityUnderTest, startIdentity } from '../../testing/identity.ts';
import { newEmail, type Visitor } from '../../testing/visitor.ts';

let identity: IdentityUnderTest;
beforeAll(async () => {
  identity = await startIdentity();
});
afterAll(() => identity.close());

describe('GET /api/me', () => {
  test('[7.3 3.24 D20 D39] shows everything the specification names, and nothing more', async () => {
    const email = newEmail();
    const maya = await identity.signedIn({ email, timeZone: 'Europe/Berlin' });
    const { status, body, headers } = await maya.get('/api/me');
    expect(status).toBe(200);
    expect(meSchema.strict().parse(body)).toEqual({
      id: decodeJwt(maya.token ?? '').sub,
      name: 'Maya Okafor',
      email,
      role: 'admin',
      profilePhotoUrl: null,
      team: { id: expect.any(String), name: 'Thunder', emoji: '⚡' },
      totalMiles: 0,
      activityLevel: 'light',
      streakCount: 0,
      streakState: 'out',
      streakFreezes: 1,
      lastActivityDate: null,
      hasVotedThisChallenge: true,
      timeZone: 'Europe/Berlin',
      bio: '',
      location: '',
      favoriteActivity: '',
      isEmailConfirmed: false,
      pendingEmail: null,
      isGuest: false,
    });
    expect(headers.get('cache-control')).toBe('no-store');
  });

  test('[S01] is for the signed-in only', async () => {
    expect((await identity.visitor().get('/api/me')).status).toBe(401);
    expect((await identity.visitor().get('/api/org/branding')).status).toBe(401);
  });

  test('[D4] of an account that is gone is a lost session', async () => {
    const maya = await identity.signedIn();
    await withSystem(identity.pool, (tx) =>
      tx.query('delete from persons where user_id = $1', [decodeJwt(maya.token ?? '').sub]),
    );
    expect((await maya.get('/api/me')).status).toBe(401);
  });
});

describe('PATCH /api/me/activity-level', () => {
  const choose = (visitor: Visitor, body: unknown, headers = {}) =>
    visitor.call('PATCH', '/api/me/activity-level', body, headers);

  test('[7.6 5.6] keeps each of the four levels', async () => {
    const maya = await identity.signedIn();
    for (const activityLevel of ['none', 'light', 'moderate', 'active']) {
      expect(await choose(maya, { activityLevel })).toMatchObject({ status: 200, body: { activityLevel } });
      expect((await maya.get('/api/me')).body['activityLevel']).toBe(activityLevel);
    }
  });

  for (const [kind, body] of [
    ['missing', {}],
    ['unknown', { activityLevel: 'extreme' }],
    ['empty', { activityLevel: '' }],
    ['null', { activityLevel: null }],
    ['a list', { activityLevel: ['active'] }],
    ['in capitals', { activityLevel: 'ACTIVE' }],
    ['a number', { activityLevel: 1 }],
    ['huge', { activityLevel: 'a'.repeat(50_000) }],
    ['right-to-left', { activityLevel: '\u202Eactive' }],
  ] as const)
    test(`[5.6] a level that is ${kind}: 422 with the specification’s words, nothing written`, async () => {
      const maya = await identity.signedIn();
      const answer = await choose(maya, body);
      expect(answer.status).toBe(422);
      expect(answer.body['message']).toBe('Please select your activity level');
      expect((await maya.get('/api/me')).body['activityLevel']).toBe('light');
    });

  test.each([
    ['not JSON', 'active', {}, 400],
    ['of plain text', '{"activityLevel":"active"}', { 'content-type': 'text/plain' }, 415],
    ['too large', JSON.stringify({ activityLevel: 'active', x: 'x'.repeat(103_000) }), {}, 413],
  ])('[D38] a body that is %s', async (_, body, headers, status) => {
    const maya = await identity.signedIn();
    expect((await choose(maya, body, headers)).status).toBe(status);
    expect((await maya.get('/api/me')).body['activityLevel']).toBe('light');
  });

  test('[S19] changes nothing but the level, and nobody else’s', async () => {
    const maya = await identity.signedIn();
    const other = await identity.signedIn();
    const before = { mine: (await maya.get('/api/me')).body, others: (await other.get('/api/me')).body };
    const foreign = decodeJwt(other.token ?? '').sub;
    const answer = await choose(maya, {
      activityLevel: 'active',
      id: foreign,
      userId: foreign,
      role: 'member',
      totalMiles: 999,
      name: 'X',
      email: 'x@x.xx',
      orgId: randomUUID(),
      teamId: randomUUID(),
      bio: 'x',
      timeZone: 'UTC',
      isActive: false,
      streakCount: 9,
    });
    expect(answer.body).toEqual({ activityLevel: 'active' });
    expect((await maya.get('/api/me')).body).toEqual({ ...before.mine, activityLevel: 'active' });
    expect((await other.get('/api/me')).body).toEqual(before.others);
  });
});

describe('the streak', () => {
  const write = async (maya: Visitor, startedOn: string, endedOn: string) =>
    withSystem(identity.pool, (tx) =>
      tx.query(
        `insert into member_scores (org_id, user_id, total_centimiles, run_started_on, run_ended_on, position)
          select org_id, user_id, 12840, $2, $3, 1 from persons where user_id = $1
          on conflict (org_id, user_id) do update set total_centimiles = 12840, run_started_on = $2, run_ended_on = $3`,
        [decodeJwt(maya.token ?? '').sub, startedOn, endedOn],
      ),
    );

  test.each(['Pacific/Kiritimati', 'Pacific/Pago_Pago', 'UTC'])(
    '[D11] is told on the member’s own date, in %s',
    async (timeZone) => {
      const today = localDateOf(new Date(), timeZone);
      const lit = await identity.signedIn({ timeZone });
      const atRisk = await identity.signedIn({ timeZone });
      const out = await identity.signedIn({ timeZone });
      await write(lit, addDays(today, -11), today);
      await write(atRisk, addDays(today, -11), addDays(today, -1));
      await write(out, addDays(today, -11), addDays(today, -2));
      expect((await lit.get('/api/me')).body).toMatchObject({
        streakCount: 12,
        streakState: 'lit',
        lastActivityDate: today,
        totalMiles: 128.4,
      });
      expect((await atRisk.get('/api/me')).body).toMatchObject({ streakCount: 11, streakState: 'at-risk' });
      expect((await out.get('/api/me')).body).toMatchObject({
        streakCount: 0,
        streakState: 'out',
        lastActivityDate: addDays(today, -2),
      });
    },
  );
});
