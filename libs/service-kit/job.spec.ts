import { expect, test } from 'vitest';
import { z } from 'zod';
import { defineJob, jobMismatches } from './job.ts';

const mail = defineJob({ name: 'identity.send-mail', data: z.object({ to: z.string() }) });
const purge = defineJob({ name: 'identity.purge', data: z.object({}), attempts: 1 });

test('every declared job with exactly one handler is in order', () => {
  expect(jobMismatches([mail, purge], [purge, mail])).toEqual([]);
});

test('a job without a handler, with two, or undeclared stops the start', () => {
  expect(jobMismatches([mail], [])).toEqual(['Job identity.send-mail has no handler']);
  expect(jobMismatches([mail], [mail, mail])).toEqual(['Job identity.send-mail has 2 handlers']);
  expect(jobMismatches([], [purge])).toEqual(['Job identity.purge has a handler but is not declared']);
  expect(jobMismatches([mail, { ...mail }], [mail])).toEqual(['Job identity.send-mail is declared 2 times']);
});

test('a job tries again with exponential backoff unless it says otherwise', () => {
  expect(mail).toMatchObject({ attempts: 8, backoffSeconds: 2 });
  expect(purge.attempts).toBe(1);
});
