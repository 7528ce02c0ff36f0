import { Rejected } from '@caravan/kernel/rejected';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { Unanswered } from '../process/dependency.ts';
import { attempt } from './job-attempt.ts';
import { defineJob } from './job.ts';
import { createLog } from '../telemetry/log.ts';
import { ownBackground } from '../testing/background.ts';

const log = createLog({ service: 'test', level: 'silent' });
const once = defineJob({ name: 'test.once', data: z.object({ to: z.number() }), remadeBy: null });
const repeated = defineJob({ name: 'test.repeated', data: z.object({}), everySeconds: 60 });

function attemptOf(job: typeof once | typeof repeated, { isEnding = false } = {}) {
  const task = ownBackground().register({ kind: 'job', name: job.name, lateAfterSeconds: 60 });
  const outcomeOf = (handle: () => Promise<void>) =>
    attempt({ job, task, log, isEnding: () => isEnding }, { to: 1 }, handle);
  return { task, outcomeOf };
}
const failing = (error: Error) => () => Promise.reject(error);

test('an attempt that a breaker refused is postponed and does not count, also as the cause of an error', async () => {
  const { task, outcomeOf } = attemptOf(once);
  const refused = new Unanswered('smtp');
  for (const error of [refused, new Error('The mail server took no mail', { cause: refused })])
    expect(await outcomeOf(failing(error))).toMatchObject({ is: 'postponed' });
  expect(task.lastSuccessAt).toBeUndefined();
});

test('an attempt whose call got no answer counts', async () => {
  const { outcomeOf } = attemptOf(once);
  expect(await outcomeOf(failing(new Unanswered('smtp', true)))).toMatchObject({ is: 'failed' });
});

test('an attempt that the end of its process interrupted does not count as failed', async () => {
  const error = new Error('Cannot use a pool after calling end on the pool');
  expect(await attemptOf(once, { isEnding: true }).outcomeOf(failing(error))).toEqual({
    is: 'postponed',
    milliseconds: 0,
  });
  const ending = attemptOf(repeated, { isEnding: true });
  expect(await ending.outcomeOf(failing(error))).toEqual({ is: 'done' });
  expect(ending.task.lastSuccessAt).toBeUndefined();
});

test('an attempt is not repeated when a rule refuses it or its data is invalid', async () => {
  const { outcomeOf } = attemptOf(once);
  const rule = new Rejected('test/no', 'invalid', 'No');
  expect(await outcomeOf(failing(rule))).toEqual({ is: 'pointless', reason: 'test/no: No' });
  const task = ownBackground().register({ kind: 'job', name: once.name, lateAfterSeconds: 60 });
  const broken = await attempt({ job: once, task, log, isEnding: () => false }, {}, () => Promise.resolve());
  expect(broken).toMatchObject({ is: 'pointless' });
});

test('an attempt that succeeds is reported to the record of background work', async () => {
  const { task, outcomeOf } = attemptOf(once);
  expect(await outcomeOf(() => Promise.resolve())).toEqual({ is: 'done' });
  expect(task.lastSuccessAt).toEqual(expect.any(Number));
});
