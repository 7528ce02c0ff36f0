import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { Invalid } from '@caravan/kernel/problem';
import { parse, uuidParams } from './valid.decorator.ts';

const schema = z.object({
  name: z.string({ error: 'Name is required' }).min(1, 'Name is required'),
  minutes: z.number({ error: 'Minutes must be a number' }),
  tags: z.array(z.string()).default([]),
});

function errorsOf(value: unknown) {
  try {
    parse(schema, value);
  } catch (error) {
    if (error instanceof Invalid) return error.errors;
    throw error;
  }
  return [];
}

test('[D38] unknown and protected fields are dropped', () => {
  expect(parse(schema, { name: 'Ada', minutes: 3, role: 'admin', orgId: 'x', totalMiles: 9 })).toEqual({
    name: 'Ada',
    minutes: 3,
    tags: [],
  });
});

test('[D38] every wrong field is listed with its path', () => {
  expect(errorsOf({ minutes: '3', tags: ['a', 1] })).toEqual([
    { path: 'name', message: 'Name is required' },
    { path: 'minutes', message: 'Minutes must be a number' },
    { path: 'tags.1', message: expect.any(String) },
  ]);
});

describe('[D38] a wrong type at the root is invalid, not a crash', () => {
  test.each([[[]], ['text'], [7], [null], [true], [undefined]])('%j', (value) => {
    expect(errorsOf(value)).toEqual([{ path: '', message: expect.any(String) }]);
  });
});

test('[S35] a body cannot reach a prototype', () => {
  const hostile: unknown = JSON.parse(
    '{"name":"Ada","minutes":1,"__proto__":{"isAdmin":true},"constructor":{"prototype":{"isAdmin":true}}}',
  );
  const parsed = parse(schema, hostile);
  expect(Object.hasOwn(parsed, '__proto__')).toBe(false);
  expect(Reflect.get(parsed, 'isAdmin')).toBeUndefined();
  expect(Reflect.get({}, 'isAdmin')).toBeUndefined();
});

test('ids in a path must be UUIDs', () => {
  const params = uuidParams('id', 'teamId');
  const id = '019c0000-0000-7000-8000-000000000001';
  expect(params.safeParse({ id, teamId: id }).success).toBe(true);
  expect(params.safeParse({ id, teamId: '7' }).success).toBe(false);
});
