import { newPasswordSchema } from '@caravan/contracts/http/accounts';
import { createLog } from '@caravan/service-kit/telemetry/log';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Passwords } from './passwords.service.ts';

const passwords = new Passwords({ PASSWORD_CHECK: 'block' }, createLog({ service: 'identity', level: 'silent' }));

/** Anything of 8 to 128 characters that meets the criteria: spaces, emoji and other scripts included. */
const anyPassword = fc
  .tuple(fc.string({ unit: 'grapheme', minLength: 4 }), fc.string({ unit: 'grapheme', maxLength: 110 }))
  .map(([before, after]) => `${before}Aa1!${after}`)
  .filter((password) => [...password].length <= 128);

test('[S14 5.1 5.5] any password that meets the criteria is taken, and opens exactly as it was typed', async () => {
  await fc.assert(
    fc.asyncProperty(anyPassword, async (password) => {
      expect(newPasswordSchema.parse(password)).toBe(password);
      const hash = await passwords.hash(password);
      expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
      expect(await passwords.fits(password, hash)).toBe(true);
      for (const other of [password.slice(1), `${password} `, ` ${password}`, password.replace('Aa', 'aA')])
        expect(await passwords.fits(other, hash)).toBe(false);
    }),
    { numRuns: 20 },
  );
});

test('[S14] 128 characters count to the last one', async () => {
  const password = `Aa1!${'🐪'.repeat(123)}x`;
  const hash = await passwords.hash(password);
  expect(await passwords.fits(password, hash)).toBe(true);
  expect(await passwords.fits(`${password.slice(0, -1)}y`, hash)).toBe(false);
});

test('[S12 S16] without a hash nothing fits', async () => {
  expect(await passwords.fits('a password that nobody has', undefined)).toBe(false);
});
