import { expect, test } from 'vitest';
import { type Access, assertAccess, notAnAdminCode } from './access.ts';
import type { Claims } from './claims.ts';

type Holder = Pick<Claims, 'sid' | 'role' | 'guest' | 'errand'>;

const member: Holder = { sid: 'session', role: 'member' };
const holders: Readonly<Record<string, Holder>> = {
  member,
  admin: { sid: 'session', role: 'admin' },
  'guest who is a member': { sid: 'session', role: 'member', guest: true },
  'guest who is an admin': { sid: 'session', role: 'admin', guest: true },
};

async function answerTo(holder: Holder, access: Exclude<Access, 'public'>, isLive = true): Promise<unknown> {
  const assertLive = (): Promise<void> => (isLive ? Promise.resolve() : Promise.reject(new Error('ended')));
  try {
    await assertAccess(holder, access, { assertLive });
    return 'admitted';
  } catch (error) {
    return error instanceof Error && 'code' in error ? error.code : String(error);
  }
}

test.each([
  ['guests', 'guest', 'admitted', 'admitted', 'admitted', 'admitted'],
  ['errands', 'errand', 'admitted', 'admitted', 'admitted', 'admitted'],
  ['members', 'member', 'admitted', 'admitted', 'email/unconfirmed', 'email/unconfirmed'],
  ['admins', 'admin', notAnAdminCode, 'admitted', 'email/unconfirmed', 'email/unconfirmed'],
] as const)(
  '[D4] a route for %s admits those who may call it and tells others why not',
  async (_, access, ...answers) => {
    expect(await Promise.all(Object.values(holders).map((holder) => answerTo(holder, access)))).toEqual(answers);
  },
);

test('[D4] the code for a caller who is no admin is public and stable', () => {
  expect(notAnAdminCode).toBe('auth/not-an-admin');
});

test.each(['guest', 'member', 'admin', 'errand'] as const)(
  '[D4] a route for %s refuses the token of a session that ended',
  async (access) => {
    expect(await answerTo({ sid: 'session', role: 'admin' }, access, false)).toBe('Error: ended');
  },
);

test('[S18] a token for an errand opens routes for errands without a session, and no others', async () => {
  const errand: Holder = { sid: 'work', role: 'admin', errand: 'my-data' };
  expect(await answerTo(errand, 'errand', false)).toBe('admitted');
  for (const access of ['guest', 'member', 'admin'] as const)
    expect(await answerTo(errand, access)).toBe('auth/token-refused');
});

test('[S18] operators are told that a token for an errand was used for something else', async () => {
  const errand: Holder = { sid: 'work', role: 'member', errand: 'my-data' };
  const assertLive = () => Promise.resolve();
  await expect(assertAccess(errand, 'member', { assertLive })).rejects.toMatchObject({ fault: 'wrong-claims' });
});
