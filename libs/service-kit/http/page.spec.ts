import type { Cursor } from '@caravan/contracts/http/paging';
import { expect, test } from 'vitest';
import { nextPageLink } from './page.ts';

test('[D17] the Link header names the public path and keeps the other parameters', () => {
  expect(
    nextPageLink({
      path: '/api/logs',
      query: { limit: 10, cursor: 'old', scope: undefined },
      cursor: 'a_b-c' as Cursor,
    }),
  ).toBe('</api/logs?limit=10&cursor=a_b-c>; rel="next"');
});
