import { describe, expect, test } from 'vitest';
import { assertUsable, type Invite, joiningOf } from './joining.ts';

const maya = { name: 'Maya Okafor' };
const defaultOrganisationId = '019a8c10-0000-7000-8000-000000000001';
const open = { defaultOrganisationId: undefined, allowFounding: true };

describe('somebody who signs up', () => {
  test('[D1] with an invite joins its organisation, whatever else was said', () => {
    const wish = { ...maya, invite: 'CODE', organizationName: 'Acme' };
    expect(joiningOf(wish, { defaultOrganisationId, allowFounding: false })).toEqual({ to: 'invited', code: 'CODE' });
  });

  test('[D1] with a name for it founds an organisation, also where there is a default one', () => {
    const wish = { ...maya, organizationName: 'Acme' };
    expect(joiningOf(wish, { ...open, defaultOrganisationId })).toEqual({ to: 'founded', name: 'Acme' });
  });

  test('[D1] without either joins the default organisation', () => {
    expect(joiningOf(maya, { ...open, defaultOrganisationId })).toEqual({
      to: 'default',
      orgId: defaultOrganisationId,
    });
    expect(joiningOf({ ...maya, invite: '' }, { ...open, defaultOrganisationId })).toMatchObject({ to: 'default' });
  });

  test('[D1] without either and without a default founds one that bears their name', () => {
    expect(joiningOf(maya, open)).toEqual({ to: 'founded', name: "Maya Okafor's Organization" });
  });

  test('[D1] founds nothing where the instance does not allow it', () => {
    const closed = { ...open, allowFounding: false };
    expect(() => joiningOf({ ...maya, organizationName: 'Acme' }, closed)).toThrow(
      expect.objectContaining({ code: 'signup/founding-off', kind: 'invalid' }),
    );
    expect(() => joiningOf(maya, closed)).toThrow(expect.objectContaining({ code: 'signup/invite-needed' }));
  });
});

describe('an invite', () => {
  const at = new Date('2026-11-16T08:00:00Z');
  const invite: Invite = {
    expiresAt: new Date('2026-11-17T08:00:00Z'),
    revokedAt: null,
    closedAt: null,
    maxUses: 3,
    uses: 2,
    domains: [],
  };

  test('[D1] works until it expires, is used up or withdrawn', () => {
    expect(() => {
      assertUsable(invite, 'maya@example.com', at);
      assertUsable({ ...invite, maxUses: null, uses: 900 }, 'maya@example.com', at);
    }).not.toThrow();
  });

  test.each([
    ['unknown', undefined, 'This invite is not known'],
    ['organisation-closed', { ...invite, closedAt: at }, 'The organisation of this invite has been closed'],
    ['revoked', { ...invite, revokedAt: at }, 'This invite has been withdrawn'],
    ['expired', { ...invite, expiresAt: at }, 'This invite has expired'],
    ['used-up', { ...invite, uses: 3 }, 'This invite has been used up'],
    ['other-domain', { ...invite, domains: ['acme.example'] }, 'This invite is for addresses at acme.example'],
  ])('[D1] that is %s is refused and says so', (reason, given, message) => {
    expect(() => {
      assertUsable(given, 'maya@example.com', at);
    }).toThrow(
      expect.objectContaining({
        code: `invite/${reason}`,
        kind: 'invalid',
        message,
        errors: [{ path: 'invite', message }],
      }),
    );
  });

  test.each([
    ['maya@acme.example', true],
    ['maya@ACME.example', true],
    ['maya@sub.acme.example', false],
    ['maya@notacme.example', false],
    ['acme.example@evil.example', false],
  ])('[D1] for acme.example: %s may use it: %s', (email, mayUse) => {
    const check = () => {
      assertUsable({ ...invite, domains: ['acme.example'] }, email, at);
    };
    if (mayUse) expect(check).not.toThrow();
    else expect(check).toThrow(expect.objectContaining({ code: 'invite/other-domain' }));
  });
});
