import { randomUUID } from '@caravan/contracts/testing/seeded';
import { companySchema, type Company } from '@caravan/contracts/http/organisations';
import { organisationTimeZoneChanged } from '@caravan/contracts/events/identity.events';
import { onlyZone, withTimeZone } from '@caravan/contracts/domain/time/organisation-zone';
import { versionOf } from '@caravan/contracts/domain/version';
import { listenTo } from '@caravan/messaging/testing/listener';
import type { Listener } from '@caravan/messaging/testing/listener';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type IdentityUnderTest, startIdentity } from '../../testing/identity.ts';
import { foundOrganisation, joinOrganisation, recordedTypes } from '../../testing/organisations.ts';
import type { Visitor } from '../../testing/visitor.ts';

let identity: IdentityUnderTest;
let heard: Listener;
beforeAll(async () => {
  identity = await startIdentity({ FAILURES_PER_ADDRESS: '100000' }, true);
  heard = await listenTo('identity', identity.env);
});
afterAll(async () => {
  await heard.close();
  await identity.close();
});

const northwind = {
  companyName: 'Northwind',
  employeeRange: '51-100',
  brandTraits: ['bold'],
  brandColors: ['#0f766e', '#f59e0b'],
};
const setUp = (admin: Visitor, changes: object = {}, headers = {}) =>
  admin.post('/api/company/setup', { ...northwind, ...changes }, headers);
const company = async (admin: Visitor) => companySchema.strict().parse((await admin.get('/api/company')).body);
const zonesIn = ({ timeZone, comingTimeZone }: Company) => [timeZone, comingTimeZone];

/** The change of zone that the API announces when an organisation changes from one zone to another now. */
const coming = (from: string, to: string) => withTimeZone(onlyZone(from), to, new Date()).changes[0];

const changesOf = async (orgId: string) =>
  (await recordedTypes(identity, orgId)).filter((type) => type === 'OrganisationTimeZoneChanged').length;

describe('the time zone of an organisation', () => {
  test('[7.32 D10] is changed by an admin from a Monday to come, and until then the old one holds', async () => {
    const { admin, orgId } = await foundOrganisation(identity, { timeZone: 'Europe/Berlin' });
    expect(zonesIn(await company(admin))).toEqual(['Europe/Berlin', null]);
    const change = coming('Europe/Berlin', 'Asia/Tokyo');
    const { status, body } = await setUp(admin, { timeZone: 'asia/tokyo' });
    expect([status, body['timeZone'], body['comingTimeZone']]).toEqual([200, 'Europe/Berlin', change]);
    expect(zonesIn(await company(admin))).toEqual(['Europe/Berlin', change]);
    const publishedFacts = () =>
      heard.heard
        .filter(({ type, key }) => type === 'OrganisationTimeZoneChanged' && key === orgId)
        .map(({ data }) => organisationTimeZoneChanged.data.parse(data).zones);
    await expect.poll(publishedFacts).toEqual([{ first: 'Europe/Berlin', changes: [change] }]);
    const { body: entries } = await admin.get('/api/audit?kind=company');
    expect(entries).toContainEqual(expect.objectContaining({ act: 'company.time-zone', subject: 'Asia/Tokyo' }));
  });

  test('[7.32 D10] stays where nothing is said of it, or the same; another change replaces what is to come', async () => {
    const { admin, orgId } = await foundOrganisation(identity, { timeZone: 'Europe/Berlin' });
    await setUp(admin, { timeZone: 'Europe/Berlin' });
    await setUp(admin);
    expect(await changesOf(orgId)).toBe(0);
    await setUp(admin, { timeZone: 'Asia/Tokyo' });
    await setUp(admin);
    await setUp(admin, { timeZone: 'Asia/Tokyo' });
    expect(await changesOf(orgId)).toBe(1);
    await setUp(admin, { timeZone: 'America/New_York' });
    expect(zonesIn(await company(admin))).toEqual(['Europe/Berlin', coming('Europe/Berlin', 'America/New_York')]);
    await setUp(admin, { timeZone: 'Europe/Berlin' });
    expect(zonesIn(await company(admin))).toEqual(['Europe/Berlin', null]);
    expect(await changesOf(orgId)).toBe(3);
  });

  test('[D10 D39] is the new one once its Monday has begun, also for who joins without one of their own', async () => {
    const { admin, orgId } = await foundOrganisation(identity, { timeZone: 'Europe/Berlin' });
    const { body: invite } = await admin.post('/api/invites', {});
    const changes = [{ from: '2026-03-02', timeZone: 'Asia/Tokyo' }];
    await identity.rows('update organisations set time_zone_changes = $2 where org_id = $1', [
      orgId,
      JSON.stringify(changes),
    ]);
    expect(zonesIn(await company(admin))).toEqual(['Asia/Tokyo', null]);
    const newcomer = identity.visitor();
    const email = `${randomUUID()}@example.org`;
    expect((await newcomer.signUp({ invite: invite['code'], email, timeZone: undefined })).status).toBe(200);
    expect((await newcomer.get('/api/me')).body['timeZone']).toBe('Asia/Tokyo');
    await setUp(admin, { timeZone: 'Europe/Berlin' });
    expect(zonesIn(await company(admin))).toEqual(['Asia/Tokyo', coming('Asia/Tokyo', 'Europe/Berlin')]);
  });

  test('[7.32 D38] is changed on the company that the admin has seen alone', async () => {
    const { admin } = await foundOrganisation(identity);
    const seen = { 'if-match': `"${versionOf((await admin.get('/api/company')).body)}"` };
    expect((await setUp(admin, { timeZone: 'Asia/Tokyo' }, seen)).status).toBe(200);
    const stale = await setUp(admin, { timeZone: 'Asia/Seoul' }, seen);
    expect([stale.status, stale.body['code']]).toEqual([412, 'request/changed-meanwhile']);
    expect((await company(admin)).comingTimeZone?.timeZone).toBe('Asia/Tokyo');
  });

  test.each([
    ['Mars/Olympus', 'Unknown time zone'],
    ['', 'Unknown time zone'],
    [null, 'Unknown time zone'],
    ['+02:00', 'A time zone is a name such as Europe/Berlin, not an offset'],
  ])('[D10 D38] %j is refused, and nothing is written', async (timeZone, message) => {
    const { admin } = await foundOrganisation(identity);
    const before = await company(admin);
    expect(await setUp(admin, { timeZone })).toMatchObject({ status: 422, body: { message } });
    expect(await company(admin)).toEqual(before);
  });

  test('[6.7 D3] is an admin’s to change', async () => {
    const { admin, orgId } = await foundOrganisation(identity);
    const member = await joinOrganisation(identity, orgId);
    expect((await setUp(member, { timeZone: 'Asia/Tokyo' })).status).toBe(403);
    expect((await company(admin)).comingTimeZone).toBeNull();
  });
});
