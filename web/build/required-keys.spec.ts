import { expect, test } from 'vitest';
import { withRequiredKeys } from './required-keys.ts';

test('[D38] where an operation takes an Idempotency-Key, the client of the web app must send one', () => {
  const version = { name: 'If-Match', in: 'header', required: false };
  const key = { name: 'Idempotency-Key', in: 'header', required: false };
  const document = { paths: { '/api/company/setup': { post: { parameters: [version, key] }, get: {} } } };
  expect(withRequiredKeys(document).paths).toEqual({
    '/api/company/setup': { post: { parameters: [version, { ...key, required: true }] }, get: {} },
  });
});
