import { expect, test } from 'vitest';
import { createLog } from './log.ts';
import { runInContext } from './request-context.ts';

/** The lines that a piece of work logs, parsed. */
function linesOf(work: (log: ReturnType<typeof createLog>) => void): Record<string, unknown>[] {
  const lines: string[] = [];
  work(createLog({ service: 'activity', destination: { write: (line) => void lines.push(line) } }));
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

test('a line names its service, its level in words and its time in UTC', () => {
  const [line] = linesOf((log) => log.warn('careful'));
  expect(line).toMatchObject({ service: 'activity', level: 'warn', msg: 'careful', time: expect.stringMatching(/Z$/) });
});

test('lines inside a request carry its trace', () => {
  const trace = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), isSampled: false };
  const [inside, outside] = linesOf((log) => {
    runInContext({ trace }, () => log.info('inside'));
    log.info('outside');
  });
  expect(inside).toMatchObject({ traceId: trace.traceId, spanId: trace.spanId });
  expect(outside).not.toHaveProperty('traceId');
});

test('[S38] secrets never reach a log, wherever they stand', () => {
  const secret = 's3cr3t-canary';
  const lines = linesOf((log) => {
    log.info({ authorization: secret, cookie: secret, 'set-cookie': [secret, 'b'], password: secret, token: secret });
    log.info({ a: { b: { c: { d: { headers: { Authorization: secret, Cookie: secret } } } } } });
    log.info({ body: { password: `with "quotes" ${secret}`, newPassword: secret, refreshToken: secret } });
    log.info({ err: Object.assign(new Error('no'), { config: { headers: { authorization: secret } } }) });
    log.info({ body: JSON.stringify({ email: 'a@b.c', client_secret: secret }) });
    log.info({ path: `/reset?token=${secret}&x=1` }, `called https://u:${secret}@host/ with Bearer ${secret}`);
    log.info('eyJhbGciOiJFUzI1NiJ9.s3cr3t-canary.c2ln');
  });
  expect(JSON.stringify(lines)).not.toContain(secret);
  expect(lines).toHaveLength(7);
  expect(lines[5]).toMatchObject({ path: '/reset?token=[removed]&x=1' });
});

test('an error is logged with what finds it, not with the row it met', () => {
  const error = Object.assign(new Error('duplicate key'), { code: '23505', detail: 'Key (email)=(ada@example.com)' });
  const [line] = linesOf((log) => log.error({ err: error }, 'request failed'));
  expect(line).toMatchObject({ err: { type: 'Error', message: 'duplicate key', code: '23505' } });
  expect(JSON.stringify(line)).not.toContain('ada@example.com');
});
