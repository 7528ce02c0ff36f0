import { operations } from '@caravan/contracts/http/operations';
import { problemSchema } from '@caravan/contracts/http/problem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startIdentity } from '../../testing/identity.ts';
import type { IdentityUnderTest } from '../../testing/identity.ts';
import { foundOrganisation, joinOrganisation } from '../../testing/organisations.ts';

let identity: IdentityUnderTest;
beforeAll(async () => {
  identity = await startIdentity({ FAILURES_PER_ADDRESS: '100000' });
});
afterAll(() => identity.close());

const ours = Object.entries(operations).filter(([, operation]) => operation.service === 'identity');

describe('every operation of this service', () => {
  test.each(ours)(
    '[S01 S40] %s exists and asks for a token exactly when it says so',
    async (_, { method, path, access }) => {
      const visitor = identity.visitor();
      const call = () => visitor.call(method.toUpperCase(), path, method === 'get' ? undefined : {});
      const { status, body } = await call();
      expect([404, 405]).not.toContain(status);
      const needsToken = access !== 'public' && access !== 'cookie';
      expect(body['code'] === 'auth/no-token').toBe(needsToken);
      visitor.token = 'eyJhbGciOiJub25lIn0.e30.';
      if (needsToken) expect((await call()).status).toBe(401);
    },
  );

  test.each(ours.filter(([, operation]) => 'body' in operation))(
    '[D38 S37] %s answers what is no JSON with a problem document that tells nothing of the inside',
    async (_, { method, path }) => {
      const visitor = await identity.signedIn();
      // A logo travels inside the company's set-up (D38).
      const tooManyCharacters = path === '/api/company/setup' ? 1_049_000 : 103_000;
      for (const [body, status] of [
        ['{"a":', 400],
        [`{"a":"${'x'.repeat(tooManyCharacters)}"}`, 413],
        ['['.repeat(20_000), 422],
      ] as const) {
        const answer = await visitor.call(method.toUpperCase(), path, body);
        expect(answer.status).toBe(status);
        expect(answer.headers.get('content-type')).toContain('application/problem+json');
        const problem = problemSchema.strict().parse(answer.body);
        expect(JSON.stringify(problem)).not.toMatch(/select |insert |postgres|node_modules|\.ts|at [A-Z]\w+\./i);
      }
    },
  );

  test.each(ours.filter(([, operation]) => operation.access === 'admin'))(
    '[S21 D3] %s is refused to a member before anything is looked at',
    async (_, { method, path }) => {
      const { orgId } = await foundOrganisation(identity);
      const member = await joinOrganisation(identity, orgId);
      const answer = await member.call(method.toUpperCase(), path, method === 'get' ? undefined : {});
      expect(answer).toMatchObject({ status: 403, body: { code: 'auth/not-an-admin' } });
    },
  );
});
