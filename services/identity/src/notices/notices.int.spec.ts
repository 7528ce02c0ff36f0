import { randomUUID } from '@caravan/contracts/testing/seeded';
import { startMailServer } from '@caravan/service-kit/testing/mail-server';
import { asPeer } from '@caravan/service-kit/testing/peer';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newMember, startMailingIdentity, type MailingIdentity } from '../../testing/addresses.ts';
import { inMinutes, memberAtNoon, startTelling, tomorrow, type Telling } from '../../testing/notices.ts';
import { claimsOf, joinOrganisation } from '../../testing/organisations.ts';
import { password, type Visitor } from '../../testing/visitor.ts';
import { MailNotices } from './mail-notices.job.ts';

let mailing: MailingIdentity;
let telling: Telling;
beforeAll(async () => {
  mailing = await startMailingIdentity({}, true);
  telling = await startTelling(mailing);
});
afterAll(async () => {
  await telling.close();
  await mailing.close();
});

const soon = inMinutes(6);
const sweep = (clock = soon) => mailing.identity.app.get(MailNotices).mailDue(clock);
const mailsTo = (email: string) =>
  mailing.server.mails.filter(({ to, subject }) => to.includes(email.toLowerCase()) && !subject.startsWith('Confirm'));
const switchesOf = async (person: Visitor) => (await person.get('/api/me/settings')).body['notifications'];
/** As a mail program does: a form, and nothing that says who it is. */
const press = (token: string, type = 'application/x-www-form-urlencoded') =>
  fetch(`${mailing.identity.url}/api/unsubscribe?token=${token}`, {
    method: 'POST',
    body: 'List-Unsubscribe=One-Click',
    headers: { ...asPeer, 'content-type': type },
  });

describe('a mail about notices', () => {
  test('[D34 3.46] leaves once, though all is told twice and two processes look, and ends by one press without signing in', async () => {
    const { visitor, email } = await memberAtNoon(mailing);
    await telling.due(visitor, { text: 'Nadia <b>joined</b> by your invite' });
    await sweep(() => new Date());
    expect(mailsTo(email)).toEqual([]);
    await Promise.all([sweep(), sweep()]);
    await sweep();
    const [mail, ...others] = mailsTo(email);
    expect(others).toEqual([]);
    expect(mail).toMatchObject({ subject: 'Nadia b joined by your invite', to: [email] });
    expect(mail?.links[0]).toBe('http://127.0.0.1:8080/admin/members');
    expect(mail?.html).toContain('href="http://127.0.0.1:8080/admin/members"');
    const [, address = ''] = /^<(.+)>$/.exec(mail?.headers['list-unsubscribe'] ?? '') ?? [];
    expect(mail?.headers['list-unsubscribe-post']).toBe('List-Unsubscribe=One-Click');
    expect(mail?.links).toContain(address);
    const { pathname, searchParams } = new URL(address);
    expect(pathname).toBe('/unsubscribe');
    for (const type of ['application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
      const answer = await press(searchParams.get('token') ?? '', type);
      expect([answer.status, await answer.json()]).toEqual([200, { mails: 'email' }]);
    }
    expect(await switchesOf(visitor)).toEqual({ email: false, push: true, teamUpdates: true, weeklyReports: true });
    await telling.due(visitor);
    await sweep();
    expect(mailsTo(email)).toHaveLength(1);
  });

  test('[D34] the digest of the morning holds all that is neither read nor withdrawn, as it reads by then', async () => {
    const { visitor, email } = await memberAtNoon(mailing);
    const cheer = await telling.due(visitor, { kind: 'reaction', text: 'Mei cheered', link: '/feed/1' });
    const read = await telling.due(visitor, { kind: 'comment', text: 'Read already' });
    const withdrawn = await telling.due(visitor, { kind: 'mention', text: 'Taken back' });
    const earned = 'You earned ‘First 10 miles’: 12.50 of 10 miles?';
    await telling.due(visitor, { kind: 'badge', text: earned, metricText: earned.replace('miles?', 'km?') });
    await telling.due(visitor, { ...cheer, text: 'Mei and 4 others cheered', count: 5 });
    await telling.publishSettled(visitor, [read.noticeId]);
    await telling.publishSettled(visitor, [withdrawn.noticeId], 'withdrawn');
    await sweep();
    expect(mailsTo(email)).toEqual([]);
    await sweep(tomorrow);
    const [mail] = mailsTo(email);
    expect(mail?.subject).toBe('Mei and 4 others cheered, and 1 more');
    expect(mail?.text).toMatch(
      /Your colleagues:\s+- Mei and 4 others cheered[^]*Your own way:\s+- You earned[^]*10 miles\?/,
    );
    expect(mail?.text).not.toMatch(/Read already|Taken back/);
    await telling.due(visitor, { ...cheer, text: 'Mei and 4 others cheered', count: 6 });
    await sweep(tomorrow);
    expect(mailsTo(email)).toHaveLength(1);
  });

  test('[D34] what cannot wait takes along what waits for the digest: one mail where one does', async () => {
    const { visitor, email } = await memberAtNoon(mailing);
    await telling.due(visitor, { kind: 'reaction', text: 'Mei cheered' });
    await telling.due(visitor);
    await sweep();
    expect(mailsTo(email)[0]?.text).toMatch(/Mei cheered[^]*Nadia joined/);
    await sweep(tomorrow);
    expect(mailsTo(email)).toHaveLength(1);
  });

  test('[D34] of the team’s news ends with the team’s switch, and is not written when that is off', async () => {
    const { visitor, email } = await memberAtNoon(mailing);
    await telling.due(visitor, { kind: 'checkpoint', text: 'Your team reached Chesters' });
    await sweep(tomorrow);
    const token = new URL(mailsTo(email)[0]?.links.at(-1) ?? '').searchParams.get('token') ?? '';
    expect(await (await press(token)).json()).toEqual({ mails: 'teamUpdates' });
    await telling.due(visitor, { kind: 'checkpoint', text: 'Your team reached Walltown' });
    await sweep(tomorrow);
    expect(mailsTo(email)).toHaveLength(1);
    expect((await press(`${token.slice(0, -2)}AA`)).status).toBe(422);
    expect((await press('x')).status).toBe(422);
    const json = await fetch(`${mailing.identity.url}/api/login`, {
      method: 'POST',
      body: 'a=b',
      headers: { ...asPeer, 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect(json.status).toBe(415);
  });
});

describe('when and to whom a mail leaves', () => {
  test('[D34 3.46] of the week comes once, with what else waits, and ends with the switch of weekly reports', async () => {
    const { visitor, email } = await memberAtNoon(mailing);
    const top = { teamId: randomUUID(), name: 'Thunder', centimiles: 10_000 };
    await telling.recap(visitor, { centimiles: 123_450, memberCount: 3, topTeams: [top] });
    await sweep();
    await sweep(tomorrow);
    const [mail, ...others] = mailsTo(email);
    expect([mail?.subject, others]).toEqual(['Your week: 3 of you moved 1,234.5 miles together', []]);
    expect(mail?.text).toContain('1. Thunder, 100.0 miles');
    const token = new URL(mail?.links.at(-1) ?? '').searchParams.get('token') ?? '';
    expect(await (await press(token)).json()).toEqual({ mails: 'weeklyReports' });
    await telling.recap(visitor);
    await telling.due(visitor, { text: 'Nadia joined' });
    await sweep();
    expect(mailsTo(email).map(({ subject }) => subject)).toEqual(['Nadia joined', mail?.subject]);
  });

  test('[9.22 3.46] tells distances in kilometres to whoever chose them', async () => {
    const { visitor, email } = await memberAtNoon(mailing);
    await visitor.call('PATCH', '/api/me/settings', { preferences: { units: 'metric' } });
    const top = { teamId: randomUUID(), name: 'Thunder', centimiles: 10_000 };
    await telling.recap(visitor, { centimiles: 20_000, memberCount: 3, topTeams: [top] });
    const near = { text: 'Only 2 miles left', metricText: 'Only 3.22 km left' };
    await telling.due(visitor, { kind: 'goal-near', ...near });
    await telling.due(visitor, { kind: 'reaction', text: 'Mei cheered' });
    await sweep(tomorrow);
    const [mail] = mailsTo(email);
    expect(mail?.subject).toBe('Your week: 3 of you moved 321.9 km together, and 2 more');
    expect(mail?.text).toMatch(/1\. Thunder, 160\.9 km[^]*Mei cheered[^]*Only 3\.22 km left/);
    expect(mail?.text).not.toContain('miles');
  });

  test('[3.46] waits for the end of the quiet hours', async () => {
    const { visitor, email, userId } = await memberAtNoon(mailing);
    await telling.due(visitor);
    const zone = 'update persons set time_zone = $2 where user_id = $1';
    const ahead = (23 - new Date().getUTCHours() + 24) % 24;
    await mailing.identity.rows(zone, [userId, ahead <= 14 ? `Etc/GMT-${ahead}` : `Etc/GMT+${24 - ahead}`]);
    await sweep();
    expect(mailsTo(email)).toEqual([]);
    await sweep(inMinutes(12 * 60));
    expect(mailsTo(email)).toHaveLength(1);
  });

  test('[D34] while the mail server is away nothing is lost, nothing comes twice, and one mail joins all', async () => {
    const { visitor, email } = await memberAtNoon(mailing);
    const { url, close } = mailing.server;
    await close();
    await telling.due(visitor, { text: 'While away' });
    for (const minutes of [6, 20, 40]) await sweep(inMinutes(minutes));
    await telling.due(visitor, { kind: 'reaction', text: 'Later' });
    const back = await startMailServer(Number(new URL(url).port));
    Object.assign(mailing, { server: back });
    // The breaker asks again after half a second; whose mail failed has its turn again two minutes later.
    let minutes = 60;
    await expect
      .poll(async () => {
        await sweep(inMinutes((minutes += 3)));
        return mailsTo(email).length;
      })
      .toBe(1);
    await sweep(tomorrow);
    expect(mailsTo(email)).toHaveLength(1);
    expect(mailsTo(email)[0]?.text).toMatch(/While away[^]*Later/);
  });

  test('[D34 D54] never reaches who is erased or deactivated meanwhile or has not confirmed the address, nor names who is gone', async () => {
    const { visitor: admin, email } = await memberAtNoon(mailing);
    const { org } = claimsOf(admin);
    const mei = await joinOrganisation(mailing.identity, org, { name: 'Mei Tanaka' });
    const unconfirmed = await newMember(mailing);
    await telling.due(unconfirmed.visitor);
    await telling.due(admin, { text: 'Mei Tanaka joined', namedIds: [claimsOf(mei).sub] });
    await telling.due(mei);
    expect((await mei.call('DELETE', '/api/me', { password })).status).toBe(200);
    await telling.dueInVain(mei, org, {});
    await telling.due(admin, { kind: 'reaction', text: 'Mei Tanaka cheered', namedIds: [claimsOf(mei).sub] });
    const { visitor: leaving, email: leavingEmail, userId } = await memberAtNoon(mailing);
    await telling.due(leaving);
    await mailing.identity.rows('update memberships set is_active = false where user_id = $1', [userId]);
    await sweep(tomorrow);
    for (const address of [email, leavingEmail, unconfirmed.email])
      expect([address, mailsTo(address)]).toEqual([address, []]);
    expect(await mailing.identity.rows("select from due_notices where text = 'In vain'")).toEqual([]);
  });
});
