import { randomUUID } from '@caravan/contracts/testing/seeded';
import { sessionAnswerSchema } from '@caravan/contracts/http/accounts';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type IdentityUnderTest, startIdentity } from '../../testing/identity.ts';
import { age, claimsOf } from '../../testing/organisations.ts';
import type { Visitor } from '../../testing/visitor.ts';

let identity: IdentityUnderTest;
beforeAll(async () => {
  identity = await startIdentity({ FAILURES_PER_ADDRESS: '100000' });
});
afterAll(() => identity.close());

const sidOf = (visitor: Visitor) => claimsOf(visitor).sid;
const leaves = (sid: string) =>
  identity.rows('select from refresh_tokens where session_id = $1 and used_at is null', [sid]);

describe('refreshing', () => {
  test('[D31 D39] answers a new token and the user for the cookie, in the same session', async () => {
    const maya = await identity.signedIn();
    const before = maya.token;
    const cookie = maya.cookie;
    const answer = await maya.refresh();
    expect(answer.status).toBe(200);
    expect(sessionAnswerSchema.strict().parse(answer.body).user.name).toBe('Maya Okafor');
    expect(maya.token).not.toBe(before);
    expect(maya.cookie).not.toBe(cookie);
    expect(decodeJwt(maya.token ?? '')['sid']).toBe(decodeJwt(before ?? '')['sid']);
    expect((await maya.get('/api/me')).status).toBe(200);
  });

  test('[S05] keeps only hashes of tokens', async () => {
    const maya = await identity.signedIn();
    const secret = maya.cookie?.split('.')[1] ?? '';
    const stored = await identity.rows("select encode(token_hash, 'escape') as hash, * from refresh_tokens");
    expect(JSON.stringify(stored)).not.toContain(secret);
    expect(secret).toHaveLength(43);
  });

  test('[S05] a cookie works once: used again after the grace it ends the session for everybody', async () => {
    const maya = await identity.signedIn();
    const thief = maya.copy();
    expect((await maya.refresh()).status).toBe(200);
    await identity.rows("update refresh_tokens set used_at = used_at - interval '11 s' where session_id = $1", [
      sidOf(maya),
    ]);
    const stolen = await thief.refresh();
    expect(stolen).toMatchObject({ status: 401, body: { code: 'session/no-refresh' } });
    expect(stolen.headers.get('set-cookie')).toMatch(/^rt=; /);
    expect((await maya.get('/api/me')).status).toBe(401);
    expect((await maya.refresh()).status).toBe(401);
    expect(await identity.rows('select end_reason from sessions where session_id = $1', [sidOf(maya)])).toEqual([
      { endReason: 'reuse' },
    ]);
  });

  test('[S05] a grandparent has no grace, however fresh', async () => {
    const maya = await identity.signedIn();
    const thief = maya.copy();
    await maya.refresh();
    await maya.refresh();
    expect((await thief.refresh()).status).toBe(401);
    expect((await maya.refresh()).status).toBe(401);
  });

  test('[S05] a token that came of a reused one is as dead', async () => {
    const maya = await identity.signedIn();
    const thief = maya.copy();
    await maya.refresh();
    const descendant = maya.copy();
    await age(identity, sidOf(maya), '11 s');
    await thief.refresh();
    expect((await descendant.refresh()).status).toBe(401);
  });

  test('[S05] a lost answer is given again: the same cookie within ten seconds', async () => {
    const maya = await identity.signedIn();
    const retry = maya.copy();
    await maya.refresh();
    expect((await retry.refresh()).status).toBe(200);
    expect(retry.cookie).toBe(maya.cookie);
    expect((await retry.refresh()).status).toBe(200);
  });

  test('[S05] twenty at once all get in and leave one leaf', async () => {
    const maya = await identity.signedIn();
    await identity.warm();
    const tabs = Array.from({ length: 20 }, () => maya.copy());
    const answers = await Promise.all(tabs.map((tab) => tab.refresh()));
    expect(answers.map(({ status }) => status)).toEqual(Array<number>(20).fill(200));
    expect(new Set(tabs.map(({ cookie }) => cookie)).size).toBe(1);
    expect(await leaves(sidOf(maya))).toHaveLength(1);
    expect((await (tabs[0] ?? maya).refresh()).status).toBe(200);
  });

  test.each([
    ['a week of silence', '7 days 1 second'],
    ['thirty days', '30 days 1 second'],
  ])('[S05] ends after %s', async (_, interval) => {
    const maya = await identity.signedIn();
    await age(identity, sidOf(maya), interval);
    expect((await maya.refresh()).status).toBe(401);
  });

  test('[S05] goes on through the thirty days and not beyond', async () => {
    const maya = await identity.signedIn();
    for (let week = 0; week < 4; week += 1) {
      await age(identity, sidOf(maya), '6 days 23 hours');
      expect((await maya.refresh()).status).toBe(200);
    }
    await age(identity, sidOf(maya), '2 days 5 hours');
    expect((await maya.refresh()).status).toBe(401);
  });

  test('[D3] tells the role that the database holds now', async () => {
    const maya = await identity.signedIn();
    await identity.rows("update memberships set role = 'member' where user_id = $1", [decodeJwt(maya.token ?? '').sub]);
    expect((await maya.refresh()).body['user']).toMatchObject({ role: 'member' });
    expect(decodeJwt(maya.token ?? '')['role']).toBe('member');
  });

  test('[S06] is refused to somebody who was deactivated', async () => {
    const maya = await identity.signedIn();
    await identity.rows('update memberships set is_active = false where user_id = $1', [
      decodeJwt(maya.token ?? '').sub,
    ]);
    expect((await maya.refresh()).status).toBe(401);
  });

  test.each([
    ['no cookie', undefined],
    ['an empty one', 'rt='],
    ['nonsense', 'rt=nonsense'],
    ['a token of the right form', `rt=${randomUUID()}.${'a'.repeat(43)}`],
    ['an injection', `rt=${randomUUID()}' or '1'='1.${'a'.repeat(43)}`],
    ['a system scope', `rt=system.${'a'.repeat(43)}`],
    ['100 KB', `rt=${'a'.repeat(10_000)}`],
  ])('[S05] is refused with %s', async (_, cookie) => {
    const nobody = identity.visitor();
    nobody.cookie = cookie;
    expect((await nobody.refresh()).status).toBe(401);
  });

  test('[S05 S18] a secret under another organisation’s id is nobody’s', async () => {
    const maya = await identity.signedIn();
    const other = await identity.signedIn();
    const forger = identity.visitor();
    forger.cookie = `${other.cookie?.split('.')[0] ?? ''}.${maya.cookie?.split('.')[1] ?? ''}`;
    expect((await forger.refresh()).status).toBe(401);
    expect((await maya.refresh()).status).toBe(200);
  });
});
