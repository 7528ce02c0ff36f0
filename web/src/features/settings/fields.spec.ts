import { isSameAddress } from '@caravan/contracts/domain/text/email-address';
import { expect, test } from 'vitest';
import { fieldAt } from './fields.ts';

test('[D39] one address, however it is written, is one', () => {
  expect(isSameAddress(' Maya@Example.org', 'maya@example.org ')).toBe(true);
  expect(isSameAddress('maya@example.org', 'maya@example.com')).toBe(false);
});

test('[D38] what the server refuses of a field that the form lacks stands at none', () => {
  expect(fieldAt('profile.email')).toBe('profile.email');
  expect(fieldAt('profile')).toBeUndefined();
});
