import { problemSchema } from '@caravan/contracts/http/problem';
import { Rejected, type RejectionKind } from './rejected.ts';
import { HttpException, NotFoundException } from '@nestjs/common';
import { describe, expect, test } from 'vitest';
import { Invalid, problemOf } from './problem.ts';

const statuses: [RejectionKind, number][] = [
  ['unauthenticated', 401],
  ['forbidden', 403],
  ['not-found', 404],
  ['conflict', 409],
  ['stale', 412],
  ['invalid', 422],
  ['too-many', 429],
  ['unavailable', 503],
  ['too-large', 413],
  ['too-slow', 408],
  ['no-length', 411],
];

test.each(statuses)('[D4] a rule that rejects as %s is answered with %i', (kind, status) => {
  const answer = problemOf(new Rejected('ballot/no', kind, 'Not like this'));
  expect(answer.status).toBe(status);
  expect(answer.isFault).toBe(false);
  expect(answer.problem).toMatchObject({
    status,
    code: 'ballot/no',
    message: 'Not like this',
    detail: 'Not like this',
  });
  expect(problemSchema.parse(answer.problem)).toEqual(answer.problem);
});

test('429 and 503 say when to come back', () => {
  expect(problemOf(new Rejected('a/b', 'too-many', 'Wait', { retryAfterSeconds: 7 })).headers['retry-after']).toBe('7');
  expect(problemOf(new Rejected('a/b', 'too-many', 'Wait')).headers['retry-after']).toBe('60');
  expect(problemOf(new Rejected('a/b', 'unavailable', 'Wait')).headers['retry-after']).toBe('2');
  expect(problemOf(new Rejected('a/b', 'conflict', 'No')).headers).toEqual({});
});

test('[D38] an invalid body lists its errors and speaks the first of them', () => {
  const { status, problem } = problemOf(
    new Invalid([
      { path: 'durationMinutes', message: 'Duration must be at least 10 minutes' },
      { path: 'activityType', message: 'Activity type is required' },
    ]),
  );
  expect(status).toBe(422);
  expect(problem.message).toBe('Duration must be at least 10 minutes');
  expect(problem.errors).toHaveLength(2);
});

describe('what Fastify and Nest refuse themselves', () => {
  const fastifyError = (code: string, statusCode: number, message: string) =>
    Object.assign(new Error(message), { name: 'FastifyError', code, statusCode });

  test.each([
    ['not JSON', fastifyError('FST_ERR_CTP_INVALID_JSON_BODY', 400, "Unexpected token 'x'"), 400, 'request/not-json'],
    [
      'another content type',
      fastifyError('FST_ERR_CTP_INVALID_MEDIA_TYPE', 415, 'a/b'),
      415,
      'request/unsupported-content-type',
    ],
    ['a large body', fastifyError('FST_ERR_CTP_BODY_TOO_LARGE', 413, 'big'), 413, 'request/too-large'],
    ['an unknown route', new NotFoundException('Cannot GET /secret'), 404, 'request/not-found'],
    [
      'a wrapped one',
      new HttpException('x', 400, { cause: fastifyError('FST_ERR_CTP_EMPTY_JSON_BODY', 400, '') }),
      400,
      'request/not-json',
    ],
    ['an unusual one', new HttpException('teapot', 418), 418, 'request/refused'],
  ])('[D38] %s', (_, error, status, code) => {
    const answer = problemOf(error);
    expect([answer.status, answer.problem.code]).toEqual([status, code]);
    expect(answer.problem.message).not.toContain(error.message || 'nothing');
    expect(answer.isFault).toBe(false);
  });
});

describe('what nobody expected', () => {
  test.each([
    new TypeError("Cannot read properties of undefined (reading 'orgId')"),
    Object.assign(new Error('duplicate key value violates unique constraint "persons_email"'), {
      code: '23505',
      detail: 'Key (email)=(a@b.c)',
    }),
    'a thrown string',
    undefined,
    { message: 'select * from persons' },
    new HttpException('inner secret', 500),
  ])('[S37] shows neither stack, SQL nor ids, and is a fault of ours: %s', (error) => {
    const { status, problem, isFault } = problemOf(error, { instance: '/api/log', traceId: 'ab'.repeat(16) });
    expect(status).toBe(500);
    expect(isFault).toBe(true);
    expect(problem).toEqual({
      type: 'urn:caravan:problem:service/internal',
      title: 'Internal error',
      status: 500,
      message: 'Something went wrong on our side. Please try again.',
      detail: 'Something went wrong on our side. Please try again.',
      code: 'service/internal',
      instance: '/api/log',
      traceId: 'ab'.repeat(16),
    });
  });
});

test.each([
  ['the pool has no connection in time', new Error('timeout exceeded when trying to connect')],
  ['the connection broke', new Error('Connection terminated unexpectedly')],
  ['nobody listens', Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })],
  ['nobody listens on any address', new AggregateError([Object.assign(new Error('x'), { code: 'ECONNREFUSED' })])],
  ['the server shuts down', Object.assign(new Error('terminating connection'), { code: '57P01' })],
  ['the server starts', Object.assign(new Error('the database system is starting up'), { code: '57P03' })],
  ['Redis is gone', new Error("Stream isn't writeable and enableOfflineQueue options is false")],
  ['Redis does not answer', new Error('Command timed out')],
  ['the protocol says so', Object.assign(new Error('gone'), { code: '08006' })],
])('[F06] a store that is away is 503 with Retry-After, never 500: %s', (_, error) => {
  const { status, problem, headers } = problemOf(error);
  expect([status, problem.code, headers['retry-after']]).toEqual([503, 'service/unavailable', '2']);
});

test.each(['22021', '22P05'])('text that PostgreSQL cannot store is the sender’s mistake (%s)', (code) => {
  expect(problemOf(Object.assign(new Error('invalid byte sequence'), { code })).status).toBe(422);
});
