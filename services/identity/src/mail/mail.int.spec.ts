import { withTenant } from '@caravan/event-store/postgres/connections';
import { eventually } from '@caravan/event-store/testing/eventually';
import { Jobs } from '@caravan/service-kit/jobs/jobs';
import { startMailServer } from '@caravan/service-kit/testing/mail-server';
import type { MailServer } from '@caravan/service-kit/testing/mail-server';
import { asPeer } from '@caravan/service-kit/testing/peer';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startIdentity } from '../../testing/identity.ts';
import type { IdentityUnderTest } from '../../testing/identity.ts';
import { mailTo } from '../../testing/mail.ts';
import { claimsOf } from '../../testing/organisations.ts';
import { newEmail } from '../../testing/visitor.ts';
import { MailService } from './mail.service.ts';
import { sendMail, SweepMails } from './mails.job.ts';
import { insertMail } from './mails.store.ts';
import type { ConfirmedAddress, Notice } from './rendered-mail.ts';

let server: MailServer;
let identity: IdentityUnderTest;
let orgId: string;
let mails: MailService;
beforeAll(async () => {
  server = await startMailServer();
  identity = await startIdentity({ SMTP_URL: server.url });
  mails = identity.app.get(MailService);
  orgId = claimsOf(await identity.signedIn({ organizationName: 'Acme' })).org;
});
afterAll(async () => {
  await identity.close();
  await server.close();
});

const notice = (to: string, name = 'Maya'): Notice => ({
  to: to as ConfirmedAddress,
  name,
  at: new Date(),
  about: 'password-changed',
});
const send = (mail: Notice) => withTenant(identity.pool, orgId, (tx) => mails.send(tx, orgId, mail));
const waiting = async (to: string) => (await identity.rows('select from mails where recipient = $1', [to])).length;

describe('a mail', () => {
  test('leaves once what it tells is committed, and nothing of it stays', async () => {
    const address = newEmail();
    await send(notice(address));
    expect(await mailTo(server, address)).toMatchObject({
      from: 'Caravan <caravan@caravan.test>',
      to: [address],
      subject: 'Your password was changed',
      text: expect.stringContaining('account at Acme'),
      html: expect.stringContaining('account at Acme'),
    });
    await eventually(async () => expect(await waiting(address)).toBe(0));
    expect(server.mails.filter(({ to }) => to.includes(address))).toHaveLength(1);
  });

  test('about something that did not happen never leaves', async () => {
    const undone = newEmail();
    const done = newEmail();
    await withTenant(identity.pool, orgId, async (tx) => {
      await mails.send(tx, orgId, notice(undone));
      throw new Error('undone');
    }).catch(() => undefined);
    await send(notice(done));
    await mailTo(server, done);
    expect(await waiting(undone)).toBe(0);
    expect(server.mails.filter(({ to }) => to.includes(undone))).toEqual([]);
  });

  test.each([
    ['a line break and a header', 'Maya\r\nBcc: eve@example.org'],
    ['an address of its own', 'Maya <eve@example.org>, Eve'],
    ['quotes', '"Maya" \\" <eve@example.org>'],
    ['an encoded word', '=?utf-8?q?=0D=0ABcc:_eve=40example.org?='],
  ])('[S35] to somebody whose name holds %s goes to that person alone', async (_, name) => {
    const address = newEmail();
    await send(notice(address, name));
    const mail = await mailTo(server, address);
    expect(mail.to).toEqual([address]);
    expect(mail.subject).toBe('Your password was changed');
    expect(server.mails.filter(({ to }) => to.some((each) => each.includes('eve@')))).toEqual([]);
  });

  test('[S35] to an address with a line break is sent to nobody', async () => {
    const address = newEmail();
    await send(notice(`${address}>\r\nRCPT TO:<eve@example.org`));
    await send(notice(address));
    await mailTo(server, address);
    expect(server.mails.filter(({ to }) => to.some((each) => each.includes('eve@')))).toEqual([]);
  });

  test('waits while the mail server is away, and leaves when it is back', async () => {
    const port = Number(new URL(server.url).port);
    await server.close();
    const address = newEmail();
    await send(notice(address));
    await eventually(async () => {
      const metrics = await (await fetch(`${identity.url}/metrics`, { headers: asPeer })).text();
      expect(metrics).toMatch(/caravan_jobs\{.*job="identity.send-mail",state="delayed".*\} [1-9]/);
    });
    expect(await waiting(address)).toBe(1);
    server = await startMailServer(port);
    const jobs = identity.app.get(Jobs);
    const left = async () => {
      await jobs.retryNow(sendMail);
      return server.mails.filter(({ to }) => to.includes(address)).length;
    };
    // Seldom enough for the breaker to close before the attempts are used up.
    await expect.poll(left, { interval: 400 }).toBe(1);
  });

  test('whose job was lost is found by the sweep', async () => {
    const address = newEmail();
    await withTenant(identity.pool, orgId, (tx) => insertMail(tx, orgId, notice(address).to, notice(address)));
    await identity.rows("update mails set written_at = now() - interval '2 minutes' where recipient = $1", [address]);
    await identity.app.get(SweepMails).sweep();
    await mailTo(server, address);
  });

  test('that could not leave for three days is given up', async () => {
    const address = newEmail();
    await withTenant(identity.pool, orgId, (tx) => insertMail(tx, orgId, notice(address).to, notice(address)));
    await identity.rows("update mails set written_at = now() - interval '73 hours' where recipient = $1", [address]);
    await identity.app.get(SweepMails).sweep();
    expect(await waiting(address)).toBe(0);
  });
});
