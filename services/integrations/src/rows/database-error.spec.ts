import { expect, test } from 'vitest';
import { asOfPostgres } from './database-error.ts';

test('what the pool refuses while the database is away comes through Prisma as the refusal that it was', () => {
  const words = 'This part of Caravan does not answer right now. Please try again in a few seconds.';
  const wrapped = Object.assign(
    new Error(`\nInvalid \`prisma.providerAccount.findMany()\` invocation:\n\n\n${words}`),
    {
      code: 'service/unanswered',
    },
  );
  const refusal = { code: 'service/unanswered', kind: 'unavailable', message: words, retryAfterSeconds: 2 };
  expect(asOfPostgres(wrapped)).toMatchObject(refusal);
});
