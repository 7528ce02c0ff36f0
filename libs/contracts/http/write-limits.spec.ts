import { expect, test } from 'vitest';
import type { Operation } from './operations/operation.ts';
import { operations } from './operations.ts';
import { openApiDocument } from './openapi.ts';
import { unlistedWrites, type WriteLimit, writeLimits } from './write-limits.ts';

type Described = { readonly operationId: string };
const all: Readonly<Record<string, Operation>> = operations;
const documented = Object.values(openApiDocument()['paths'] as Record<string, Record<string, Described>>).flatMap(
  (methods) => Object.values(methods).map(({ operationId }) => operationId),
);
// The house's test of routes holds `storesSomething` against the handlers that write.
const writing = documented.filter((id) => all[id]?.method !== 'get' || all[id].storesSomething === true);
const limitOf = (id: string) => new Map<string, WriteLimit | 'by-address'>(Object.entries(writeLimits)).get(id);

test('[S25] every operation of the OpenAPI document that writes has a limit, and nothing else has one', () => {
  expect(writing.length).toBeGreaterThan(60);
  expect(Object.keys(writeLimits).toSorted()).toEqual(writing.toSorted());
});

test('[S25] only operations that need no sign-in are counted by address instead of by member', () => {
  const withoutMember = writing.filter((id) => ['public', 'cookie'].includes(all[id]?.access ?? ''));
  expect(writing.filter((id) => limitOf(id) === 'by-address').toSorted()).toEqual(withoutMember.toSorted());
});

test('[S25] nobody who uses the app by hand meets a limit, and none lets an hour pass at the rate of a minute', () => {
  const limits = [...Object.values(writeLimits).filter((limit) => limit !== 'by-address'), unlistedWrites];
  for (const { perMinute, perHour } of limits) {
    expect(perMinute).toBeGreaterThanOrEqual(60);
    expect(perHour).toBeGreaterThanOrEqual(10 * perMinute);
    expect(perHour).toBeLessThan(60 * perMinute);
  }
});

test('[S25 S26] 240 comments or follows at once are too many', () => {
  for (const id of ['writeComment', 'follow', 'unfollow'] as const)
    expect(writeLimits[id]).toMatchObject({ perMinute: 60 });
});
