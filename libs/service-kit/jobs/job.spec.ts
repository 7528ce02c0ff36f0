import { expect, test } from 'vitest';
import { z } from 'zod';
import { defineJob, jobMismatches } from './job.ts';

const mail = defineJob({ name: 'identity.send-mail', remadeBy: null, data: z.object({ to: z.string() }) });
const purge = defineJob({ name: 'identity.purge', data: z.object({}), attempts: 1, everySeconds: 60 });

test('every declared job with exactly one handler is in order', () => {
  expect(jobMismatches([mail, purge], [purge, mail])).toEqual([]);
});

test('a job without a handler, with two, or undeclared stops the start', () => {
  expect(jobMismatches([mail], [])).toEqual(['Job identity.send-mail has no handler']);
  expect(jobMismatches([mail], [mail, mail])).toEqual(['Job identity.send-mail has 2 handlers']);
  expect(jobMismatches([], [purge])).toEqual(['Job identity.purge has a handler but is not declared']);
  expect(jobMismatches([mail, { ...mail }], [mail])).toEqual(['Job identity.send-mail is declared 2 times']);
});

test('[F05] a job that no repeated job makes again stops the start', () => {
  const remade = { ...mail, remadeBy: purge.name };
  expect(jobMismatches([remade, purge], [remade, purge])).toEqual([]);
  const lost = { ...mail, remadeBy: 'identity.sweep-mails' };
  const message = 'Job identity.send-mail would be made again by identity.sweep-mails, which is no repeated job here';
  expect(jobMismatches([lost, purge], [lost, purge])).toEqual([message]);
});

test('a job tries again with exponential backoff unless it says otherwise', () => {
  expect(mail).toMatchObject({ attempts: 8, backoffSeconds: 2 });
  expect(purge.attempts).toBe(1);
});
