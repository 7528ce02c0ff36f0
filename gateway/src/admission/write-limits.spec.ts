import { operations } from '@caravan/contracts/http/operations';
import type { Operation } from '@caravan/contracts/http/operations/operation';
import { openApiDocument } from '@caravan/contracts/http/openapi';
import { isWriting, writeLimits } from '@caravan/contracts/http/write-limits';
import { expect, test } from 'vitest';
import { type Write, writeLimitOf, writeOf } from './write-limits.ts';

type Described = { readonly operationId: string };
const paths = Object.entries(openApiDocument()['paths'] as Record<string, Record<string, Described>>);
const documented = paths.flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, { operationId }]) => ({
    method: method.toUpperCase(),
    path: path.replaceAll(/\{\w+\}/g, '019c0000-0000-7000-8000-000000000001'),
    operationId,
  })),
);

const storing = new Set(
  Object.entries<Operation>(operations).flatMap(([id, operation]) => (isWriting(operation) ? [id] : [])),
);

test('[S25] every documented operation that writes is found by its address, and none that only reads', () => {
  for (const { method, path, operationId } of documented)
    expect([operationId, writeOf(method, path)]).toEqual([
      operationId,
      storing.has(operationId) ? operationId : undefined,
    ]);
});

test.each(['/api/%6Cog', '/%61pi/log', '/api/lo%67'])('[S25] a write to %s is counted as one to /api/log', (path) => {
  expect(writeOf('POST', path)).toBe('logMovement');
});

test('[S25] HEAD is counted as the GET whose handler answers it', () => {
  expect(writeOf('HEAD', '/api/audit/file')).toBe('downloadAudit');
  expect(writeOf('HEAD', '/api/audit')).toBeUndefined();
});

test.each([
  ['POST', '/api%2Flog'],
  ['POST', '/api/log%'],
  ['POST', '/api/log/'],
  ['POST', '/api//log'],
  ['POST', '/api/LOG'],
  ['PUT', '/api/log'],
  ['DELETE', '/api/feed/x/comments/y/z'],
  ['PROPFIND', '/api/log'],
])('[S25] %s %s, which is no documented operation, counts as a write too', (method, path) => {
  expect(writeOf(method, path)).toBe('unlisted');
});

test('[S25] every write has a limit for a minute and for an hour', () => {
  for (const write of [...Object.keys(writeLimits), 'unlisted'] as Write[]) {
    expect(writeLimitOf(write).perMinute).toBeGreaterThan(0);
    expect(writeLimitOf(write).perHour).toBeGreaterThan(0);
  }
});
