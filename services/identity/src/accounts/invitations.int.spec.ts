import { invitationSchema } from '@caravan/contracts/http/organisations';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type IdentityUnderTest, startIdentity } from '../../testing/identity.ts';
import { foundOrganisation, invite } from '../../testing/organisations.ts';

let identity: IdentityUnderTest;
let orgId: string;
beforeAll(async () => {
  identity = await startIdentity({ FAILURES_PER_ADDRESS: '100' });
  ({ orgId } = await foundOrganisation(identity));
});
afterAll(() => identity.close());

let addresses = 0;
const somewhere = () => ({ 'x-forwarded-for': `203.0.113.${(addresses += 1)}` });
const look = (code: string, from = somewhere()) =>
  identity.visitor().get(`/api/invitations?code=${encodeURIComponent(code)}`, from);

describe('looking at an invite', () => {
  test('[D1 S20] tells a signed-out visitor the organisation’s name and logo, and nothing else', async () => {
    const code = await invite(identity, orgId);
    const { status, body } = await look(code);
    expect(status).toBe(200);
    expect(invitationSchema.strict().parse(body)).toEqual({ organizationName: 'Acme', logoUrl: null });
    await identity.rows("update organisations set logo_data_url = 'data:image/webp;base64,AAAA' where org_id = $1", [
      orgId,
    ]);
    expect((await look(code)).body).toMatchObject({ logoUrl: 'data:image/webp;base64,AAAA' });
    expect(await identity.rows('select uses from invites where code = $1', [code])).toEqual([{ uses: 0 }]);
  });

  test.each([
    ['expired', { expires_at: new Date(0) }, 'This invite has expired'],
    ['used up', { max_uses: 2, uses: 2 }, 'This invite has been used up'],
    ['withdrawn', { revoked_at: new Date() }, 'This invite has been withdrawn'],
  ])('[D1] that is %s says so with 422', async (_, changes, message) => {
    expect(await look(await invite(identity, orgId, changes))).toMatchObject({ status: 422, body: { message } });
  });

  test('[D1] that is for some domains only leads somewhere: the address comes later', async () => {
    expect((await look(await invite(identity, orgId, { domains: ['acme.example'] }))).status).toBe(200);
  });

  test.each([['no-such-code'], ["' or '1'='1"], ['../../etc/passwd']])('[D4 S35] %s is unknown: 404', async (code) => {
    expect(await look(code)).toMatchObject({ status: 404, body: { code: 'invite/unknown' } });
  });

  test.each([
    ['no code', ''],
    ['an empty code', '?code='],
    ['two codes', '?code=a&code=b'],
    ['a code of a kilobyte', `?code=${'x'.repeat(1_024)}`],
  ])('[D38] with %s is refused with 422', async (_, query) => {
    expect((await identity.visitor().get(`/api/invitations${query}`, somewhere())).status).toBe(422);
  });

  test('[S15] with guessed codes is stopped with 429 after a hundred from one address; others go on', async () => {
    const code = await invite(identity, orgId);
    const from = somewhere();
    for (let batch = 0; batch < 10; batch += 1)
      await Promise.all(Array.from({ length: 10 }, (_, nth) => look(`guess-${batch}-${nth}`, from)));
    const answer = await look(code, from);
    expect(answer.status).toBe(429);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(800);
    expect((await look(code)).status).toBe(200);
  });
});
