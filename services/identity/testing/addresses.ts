import { type MailServer, startMailServer } from '@caravan/service-kit/testing/mail-server';
import { expect } from 'vitest';
import { type IdentityUnderTest, startIdentity } from './identity.ts';
import { confirm } from './mail.ts';
import { idOf } from './organisations.ts';
import { newEmail, password, type Visitor } from './visitor.ts';

export type MailingIdentity = {
  readonly identity: IdentityUnderTest;
  readonly server: MailServer;
  close(): Promise<void>;
};

/**
 * Identity with a server that takes its mails; nobody is slowed for guessing.
 * @param consumes whether it reads from Kafka
 */
export async function startMailingIdentity(
  env: Readonly<Record<string, string>> = {},
  consumes = false,
): Promise<MailingIdentity> {
  const server = await startMailServer();
  const identity = await startIdentity({ FAILURES_PER_ADDRESS: '100000', SMTP_URL: server.url, ...env }, consumes);
  const close = async () => {
    await identity.close();
    await server.close();
  };
  return { identity, server, close };
}

export const meOf = async (one: Visitor) => (await one.get('/api/me')).body;

/** Asks for another address. */
export const moveTo = (one: Visitor, email: string, currentPassword: unknown = password) =>
  one.call('PATCH', '/api/me/settings', { profile: { email }, currentPassword });

export async function newMember({ identity }: MailingIdentity, fields: object = {}) {
  const email = newEmail();
  const visitor = await identity.signedIn({ email, ...fields });
  return { email, visitor, userId: idOf(visitor) };
}

export async function confirmedMember(mailing: MailingIdentity) {
  const one = await newMember(mailing);
  expect((await confirm(mailing.server, one.visitor, one.email)).status).toBe(200);
  return one;
}
