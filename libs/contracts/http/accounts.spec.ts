import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { passwordStrength } from '../domain/text/password.ts';
import { loginRequestSchema, newPasswordSchema, signupRequestSchema } from './accounts.ts';

const messageOf = (result: { success: boolean; error?: { issues: readonly { message: string }[] } }) =>
  result.success ? null : result.error?.issues[0]?.message;

describe('password rules', () => {
  for (const [password, message] of [
    ['Aa1!aaa', 'Password must be at least 8 characters'],
    [
      'aaaaaaa1!',
      'Password must contain at least 1 uppercase letter, 1 lowercase letter, 1 number, and 1 special character',
    ],
    [
      'AAAAAAA1!',
      'Password must contain at least 1 uppercase letter, 1 lowercase letter, 1 number, and 1 special character',
    ],
    [
      'Aaaaaaaa!',
      'Password must contain at least 1 uppercase letter, 1 lowercase letter, 1 number, and 1 special character',
    ],
    [
      'Aaaaaaaa1',
      'Password must contain at least 1 uppercase letter, 1 lowercase letter, 1 number, and 1 special character',
    ],
    [`Aa1!${'x'.repeat(125)}`, 'Password must be at most 128 characters'],
    [undefined, 'Password must be at least 8 characters'],
    ['Aa1!aaaa', null],
    ['Caravan-2026!', null],
  ] as const)
    test(`[5.1 9.11] ${JSON.stringify(password)} is answered with ${JSON.stringify(message)}`, () => {
      expect(messageOf(newPasswordSchema.safeParse(password))).toBe(message);
    });

  test('[5.1] a password is taken as typed: spaces and emoji stay', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 30 }), (typed) => {
        const password = ` Aa1!${typed.slice(0, 60)}   x `;
        expect(newPasswordSchema.parse(password)).toBe(password);
      }),
    );
  });

  for (const [password, label] of [
    ['', 'Weak'],
    ['a', 'Weak'],
    ['aB', 'Medium'],
    ['aB1', 'Medium'],
    ['aB1!', 'Strong'],
    ['aB1!aB1!', 'Strong'],
  ] as const)
    test(`[5.2] “${password}” is rated ${label}`, () => {
      expect(passwordStrength(password).label).toBe(label);
    });
});

describe('sign-up and login bodies', () => {
  const valid = { name: 'Maya', email: 'maya@example.org', password: 'Caravan-2026!' };

  for (const [body, message] of [
    [{ ...valid, name: '   ' }, 'Name is required'],
    [{ ...valid, name: '\u200b\u200b' }, 'Name is required'],
    [{ ...valid, name: 'x'.repeat(81) }, 'Name must be at most 80 characters'],
    [{ ...valid, name: 'a\u0000b' }, 'Control characters are not allowed'],
    [{ ...valid, email: 'maya' }, 'Invalid email address'],
    [{ ...valid, email: 42 }, 'Invalid email address'],
    [{ ...valid, timeZone: 'Mars/Olympus' }, 'Unknown time zone'],
    [{ email: valid.email, password: valid.password }, 'Name is required'],
  ] as const)
    test(`[5.6 D39] ${JSON.stringify(body)} is refused with ${message}`, () => {
      expect(messageOf(signupRequestSchema.safeParse(body))).toBe(message);
    });

  test('[D38] protected fields are ignored', () => {
    const parsed = signupRequestSchema.parse({ ...valid, role: 'admin', orgId: 'x', totalMiles: 9 });
    expect(Object.keys(parsed).toSorted()).toEqual(['email', 'name', 'password']);
  });

  for (const [body, message] of [
    [{ email: 'x', password: 'y' }, 'Invalid email address'],
    [{ email: 'maya@example.org', password: '' }, 'Password is required'],
    [{ email: 'maya@example.org' }, 'Password is required'],
  ] as const)
    test(`[5.3] login with ${JSON.stringify(body)} is refused with ${message}`, () => {
      expect(messageOf(loginRequestSchema.safeParse(body))).toBe(message);
    });
});
