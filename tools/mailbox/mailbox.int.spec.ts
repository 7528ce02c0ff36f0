import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomUUID } from '@caravan/contracts/testing/seeded';
import { createTransport, type SendMailOptions } from 'nodemailer';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { KeptMails } from './kept-mails.ts';
import { type Mailbox, startMailbox } from './mailbox.ts';

let folder = '';
let mailbox: Mailbox;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'mailbox-'));
  chmodSync(folder, 0o755);
  mailbox = await startMailbox(folder, { smtp: 0, http: 0 });
});
afterEach(async () => {
  await mailbox.close();
  rmSync(folder, { recursive: true });
});

const send = (mail: SendMailOptions) =>
  createTransport(mailbox.smtp).sendMail({ from: 'Caravan <caravan@example.org>', ...mail });
const page = async (path: string) => {
  const answer = await fetch(`${mailbox.http}${path}`);
  return { status: answer.status, policy: answer.headers.get('content-security-policy'), text: await answer.text() };
};
const messages = async (query = ''): Promise<Record<string, unknown>[]> =>
  JSON.parse((await page(`/messages${query}`)).text);

test('[S38] mails, whose links let in whoever opens them, can be read by nobody else on the machine', async () => {
  await send({ to: 'maya@example.org', subject: 'Reset', text: 'http://127.0.0.1:8080/reset-password?token=x' });
  const files = readdirSync(folder);
  expect(files).toHaveLength(1);
  for (const name of ['.', ...files]) expect(statSync(join(folder, name)).mode & 0o077).toBe(0);
});

test('[7.7] a mail is kept as it came, newest first, with the links of its text', async () => {
  expect((await page('/')).text).toContain('No mail yet');
  await send({ to: 'Maya@Example.org', subject: 'Grüße 🐪', text: 'See http://127.0.0.1:8080/a?b=c&d=e and go.' });
  await send({ to: ['omar@example.org', 'lena@example.org'], subject: 'Second', html: '<p>Hi</p>', text: 'Hi' });
  const [second, first] = await messages();
  expect(first).toMatchObject({
    from: 'Caravan <caravan@example.org>',
    to: ['maya@example.org'],
    subject: 'Grüße 🐪',
    links: ['http://127.0.0.1:8080/a?b=c&d=e'],
  });
  expect(second).toMatchObject({ to: ['omar@example.org', 'lena@example.org'], html: expect.stringContaining('Hi') });
  expect(await messages('?to=MAYA@example.org')).toEqual([first]);
  expect(await messages('?to=nobody@example.org')).toEqual([]);
});

test('[7.7] mails survive the end of the mailbox', async () => {
  await send({ to: 'maya@example.org', subject: 'Kept', text: 'x' });
  await mailbox.close();
  mailbox = await startMailbox(folder, { smtp: 0, http: 0 });
  expect(await messages()).toMatchObject([{ subject: 'Kept' }]);
});

test('[7.7] the newest thousand mails are kept', () => {
  const kept = new KeptMails(join(folder, 'many'));
  const mail = { from: '', to: [], text: '', html: '', headers: {}, links: [], receivedAt: '2026-11-21T12:00:00.000Z' };
  for (let nth = 0; nth < 1_002; nth += 1) kept.keep({ ...mail, id: randomUUID(), subject: String(nth) });
  const subjects = new KeptMails(join(folder, 'many')).list().map(({ subject }) => subject);
  expect(subjects).toHaveLength(1_000);
  expect([subjects[0], subjects.at(-1)]).toEqual(['1001', '2']);
});

test('[S36] what a mail brings along neither runs nor fetches anything', async () => {
  const hostile = '<script>alert(1)</script>';
  await send({
    to: 'maya@example.org',
    subject: hostile,
    text: `${hostile} http://example.org/"onclick="x`,
    html: `${hostile}<img src="http://example.org/seen.png">`,
  });
  const [{ id } = { id: '' }] = await messages();
  for (const path of ['/', `/mails/${String(id)}`]) {
    const { text, policy } = await page(path);
    expect(text).not.toContain('<script>');
    expect(text).not.toMatch(/<a [^>]*onclick/);
    expect(policy).toContain("default-src 'none'");
  }
  expect((await page(`/mails/${String(id)}`)).text).toContain('<iframe sandbox=""');
  const shown = await page(`/mails/${String(id)}/html`);
  expect(shown.policy).toMatch(/^sandbox; default-src 'none'/);
});

test('a link of a mail can be followed from its page', async () => {
  const link = 'http://127.0.0.1:8080/reset-password?token=abc_-1';
  await send({ to: 'maya@example.org', subject: 'Reset', text: `Open\n${link}\nsoon. <b>` });
  const [{ id } = { id: '' }] = await messages();
  expect((await page(`/mails/${String(id)}`)).text).toContain(`<a href="${link}" rel="noreferrer">`);
});

test('[S39] a foreign host name, another method and an unknown mail find nothing', async () => {
  const { port } = new URL(mailbox.http);
  const status = (headers: Record<string, string>, method = 'GET') =>
    new Promise<number | undefined>((resolve, reject) => {
      request({ port, host: '127.0.0.1', path: '/messages', method, headers }, (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      })
        .once('error', reject)
        .end();
    });
  expect(await status({ host: 'evil.example' })).toBe(421);
  expect(await status({}, 'DELETE')).toBe(405);
  expect((await page(`/mails/${randomUUID()}`)).status).toBe(404);
  expect((await page('/mails/..%2f..%2fsecrets.json')).status).toBe(404);
});
