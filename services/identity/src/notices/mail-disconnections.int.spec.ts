import { startPeerService } from '@caravan/messaging/testing/peer-service';
import { startMailServer, type MailServer } from '@caravan/service-kit/testing/mail-server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type IdentityUnderTest, startIdentity } from '../../testing/identity.ts';
import { confirm, mailTo } from '../../testing/mail.ts';
import { claimsOf } from '../../testing/organisations.ts';
import { newEmail, type Visitor } from '../../testing/visitor.ts';

let server: MailServer;
let identity: IdentityUnderTest;
beforeAll(async () => {
  server = await startMailServer();
  identity = await startIdentity({ SMTP_URL: server.url }, true);
});
afterAll(async () => {
  await identity.close();
  await server.close();
});

async function confirmedPerson() {
  const email = newEmail();
  const person = await identity.signedIn({ email });
  await confirm(server, person, email);
  return { email, person };
}

const disconnect = (person: Visitor, fields: object = {}) => {
  const { sub: userId, org: orgId } = claimsOf(person);
  const at = { disconnectedAt: '2026-11-22T14:05:00.000Z' };
  const data = { userId, source: 'strava', why: 'revoked', areImportsRemoved: true, ...at, ...fields };
  return { type: 'PlatformDisconnected', version: 1, orgId, key: userId, data };
};

test('[D21] who ended it at the platform is mailed once that everything from there is deleted', async () => {
  const integrations = await startPeerService('integrations', identity.env);
  const { email, person } = await confirmedPerson();
  const unconfirmed = await identity.signedIn({ email: newEmail() });
  const { org } = claimsOf(person);
  const said = await integrations.publish(disconnect(unconfirmed), disconnect(person));
  await integrations.redeliver(...said.toReversed());
  const mail = await mailTo(server, email, 'Strava is disconnected');
  expect(mail.text).toContain('on 22 November 2026 at 14:05 UTC, as you ended it at Strava.');
  expect(mail.text).toContain('Every activity that came from Strava is deleted here');
  await integrations.publish(disconnect(person, { source: 'fitbit', why: 'asked', areImportsRemoved: false }));
  const other = await mailTo(server, email, 'Fitbit is disconnected');
  expect(other.text).toContain('as you asked.');
  expect(other.text).toContain('The activities that came from Fitbit stay in your account');
  expect(server.mails.filter(({ subject }) => subject === 'Strava is disconnected')).toHaveLength(1);
  await expect
    .poll(() => identity.rows('select from mails where org_id = $1 and recipient = $2', [org, email]))
    .toHaveLength(0);
  await integrations.close();
});
