import { eventually } from '@caravan/event-store/testing/eventually';
import { Metrics } from '@caravan/service-kit/telemetry/metrics';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startMailingIdentity, type MailingIdentity } from '../../testing/addresses.ts';
import { inMinutes, memberAtNoon, startTelling, tomorrow, type Telling } from '../../testing/notices.ts';
import { type PushService, startPushService, type TestBrowser } from '../../testing/push-service.ts';
import { password, type Visitor } from '../../testing/visitor.ts';
import { PushNotices } from './push-notices.job.ts';

let mailing: MailingIdentity;
let telling: Telling;
let service: PushService;
beforeAll(async () => {
  service = await startPushService();
  const env = { PUSH_TO_PRIVATE_ADDRESSES: 'true', PUSH_TIMEOUT_SECONDS: '1' };
  mailing = await startMailingIdentity(env, true);
  telling = await startTelling(mailing);
});
afterAll(async () => {
  await telling.close();
  await mailing.close();
  await service.close();
});

const sweep = (clock = inMinutes(1)) => mailing.identity.app.get(PushNotices).pushDue(clock);
const subscribe = (visitor: Visitor, { subscription }: TestBrowser) =>
  visitor.post('/api/push/subscriptions', subscription);
const rowsOf = ({ subscription }: TestBrowser) =>
  mailing.identity.rows('select from push_subscriptions where endpoint = $1', [subscription.endpoint]);
const waiting = (noticeId: string) => mailing.identity.rows('select from pushes where notice_id = $1', [noticeId]);
const countPushes = async (result: string) => {
  const { values } = (await mailing.identity.app
    .get<Metrics>(Metrics)
    .registry.getSingleMetric('caravan_pushes_total')
    ?.get()) ?? { values: [] };
  return values.find(({ labels }) => labels['result'] === result)?.value ?? 0;
};

async function subscribedMember() {
  const member = await memberAtNoon(mailing);
  const browser = service.browser();
  expect((await subscribe(member.visitor, browser)).body).toEqual({ isSubscribed: true });
  return { ...member, browser };
}

describe('a push', () => {
  test('[D34] arrives once at each device, sealed for it alone, with the notice’s text, link and id and nothing else', async () => {
    const { visitor, browser, email } = await subscribedMember();
    const phone = mailing.identity.visitor();
    await phone.login(email);
    const other = service.browser();
    await subscribe(phone, other);
    const { body } = await visitor.get('/api/push/key');
    const { noticeId, text } = await telling.due(visitor, {
      kind: 'comment',
      text: 'Mei: “Well done”',
      link: '/feed/1#2',
    });
    await Promise.all([sweep(), sweep()]);
    await sweep(tomorrow);
    for (const device of [browser, other]) {
      await eventually(() => expect(device.arrived).toHaveLength(1));
      expect(device.arrived[0]).toMatchObject({
        payload: { id: noticeId, text, link: '/feed/1#2' },
        vapidKey: body['key'],
        ttlSeconds: 43_200,
        topic: noticeId.replaceAll('-', ''),
        subject: 'mailto:caravan@caravan.test',
      });
    }
  });

  test('[D34] of a bundle comes once while it is unread, and not at all once it is read', async () => {
    const { visitor, browser } = await subscribedMember();
    const read = await telling.due(visitor, { kind: 'comment', text: 'Read at once' });
    await telling.publishSettled(visitor, [read.noticeId]);
    const cheer = await telling.due(visitor, { kind: 'reaction', text: 'Mei cheered' });
    await sweep();
    await eventually(() => expect(browser.arrived).toHaveLength(1));
    await telling.due(visitor, { ...cheer, count: 2 });
    await sweep();
    expect(browser.asked).toBe(1);
  });

  test('[3.46] comes neither with the switch off nor in quiet hours', async () => {
    const { visitor, browser, userId } = await subscribedMember();
    await visitor.call('PATCH', '/api/me/settings', { notifications: { push: false } });
    await telling.due(visitor);
    await sweep();
    expect(browser.asked).toBe(0);
    await visitor.call('PATCH', '/api/me/settings', { notifications: { push: true } });
    const ahead = (23 - new Date().getUTCHours() + 24) % 24;
    const zone = ahead <= 14 ? `Etc/GMT-${ahead}` : `Etc/GMT+${24 - ahead}`;
    await mailing.identity.rows('update persons set time_zone = $2 where user_id = $1', [userId, zone]);
    await telling.due(visitor);
    await sweep();
    expect(browser.asked).toBe(0);
    await sweep(inMinutes(12 * 60));
    await eventually(() => expect(browser.arrived).toHaveLength(1));
  });

  test.each([404, 410])('[D34] that is answered with %i ends the subscription', async (status) => {
    const { visitor, browser } = await subscribedMember();
    browser.answers = status;
    await telling.due(visitor);
    await sweep();
    await eventually(async () => expect(await rowsOf(browser)).toHaveLength(0));
    expect(browser.asked).toBe(1);
  });

  test.each([429, 503])(
    '[D34] that is answered with %i is tried again later, six times, then given up and counted',
    async (status) => {
      const { visitor, browser } = await subscribedMember();
      const givenUp = await countPushes('given-up');
      Object.assign(browser, { answers: status, retryAfterSeconds: 600 });
      const { noticeId } = await telling.due(visitor);
      await sweep(inMinutes(1));
      await sweep(inMinutes(5));
      expect(browser.asked).toBe(1);
      browser.retryAfterSeconds = undefined;
      for (const minutes of [20, 40, 60, 80, 100]) await sweep(inMinutes(minutes));
      expect(browser.asked).toBe(6);
      expect(await waiting(noticeId)).toEqual([]);
      expect(await countPushes('given-up')).toBe(givenUp + 1);
      await telling.due(visitor, { text: 'The next one' });
      browser.answers = 201;
      await sweep(inMinutes(120));
      await eventually(() => expect(browser.arrived).toHaveLength(1));
    },
  );

  test('[D34] to a service that hangs holds up nobody else, and is given up after a while', async () => {
    const hung = await subscribedMember();
    const well = await subscribedMember();
    hung.browser.answers = 'hang';
    await telling.due(hung.visitor);
    await telling.due(well.visitor);
    const swept = sweep();
    await eventually(() => expect(well.browser.arrived).toHaveLength(1));
    await swept;
    expect(hung.browser.asked).toBe(1);
  });
});

describe('a subscription', () => {
  test('[D34 S04] goes with its session: by signing out, by signing out a device, and with the account', async () => {
    const { visitor, browser, email } = await subscribedMember();
    const phone = mailing.identity.visitor();
    await phone.login(email);
    const other = service.browser();
    await subscribe(phone, other);
    await phone.post('/api/logout', {});
    expect([(await rowsOf(other)).length, (await rowsOf(browser)).length]).toEqual([0, 1]);
    expect((await visitor.call('DELETE', '/api/me', { password })).status).toBe(200);
    expect(await rowsOf(browser)).toEqual([]);
  });

  test('[D34] is one per session, ends when asked, and follows the browser to whoever signs in there next', async () => {
    const first = await subscribedMember();
    const second = await memberAtNoon(mailing);
    const renewed = service.browser();
    await subscribe(first.visitor, renewed);
    expect([(await rowsOf(first.browser)).length, (await rowsOf(renewed)).length]).toEqual([0, 1]);
    await subscribe(second.visitor, renewed);
    await telling.due(first.visitor, { text: 'For the first one' });
    await telling.due(second.visitor, { text: 'For the second one' });
    await sweep();
    await eventually(() => expect(renewed.arrived).toHaveLength(1));
    expect(renewed.arrived[0]?.payload).toMatchObject({ text: 'For the second one' });
    expect((await second.visitor.call('DELETE', '/api/push/subscriptions')).body).toEqual({ isSubscribed: false });
    expect(await rowsOf(renewed)).toEqual([]);
  });

  test.each([
    ['endpoint', { endpoint: 'ftp://push.example.org/x' }],
    ['endpoint', { endpoint: 'nowhere' }],
    ['keys.p256dh', { keys: { p256dh: 'AAAA', auth: 'AAAAAAAAAAAAAAAAAAAAAA' } }],
    ['keys.auth', { keys: { p256dh: 'A'.repeat(87), auth: '$' } }],
    ['keys', { keys: undefined }],
  ])('[D38] says what is wrong with its %s', async (path, wrong) => {
    const { visitor } = await memberAtNoon(mailing);
    const answer = await visitor.post('/api/push/subscriptions', { ...service.browser().subscription, ...wrong });
    expect([answer.status, answer.body['errors']]).toEqual([
      422,
      [{ path, message: expect.stringMatching(/^(The )?\w+/) }],
    ]);
  });

  test('[D34] with keys that are no point of the curve ends at the first push', async () => {
    const { visitor } = await memberAtNoon(mailing);
    const browser = service.browser();
    browser.subscription.keys.p256dh = Buffer.alloc(65, 4).toString('base64url');
    await subscribe(visitor, browser);
    await telling.due(visitor);
    await sweep();
    expect(await rowsOf(browser)).toEqual([]);
    expect(browser.asked).toBe(0);
  });
});

test('[S32] the pair’s private half lies sealed in its row, and survives a restart', async () => {
  const [row] = await mailing.identity.rows<{ kid: string; sealed: Buffer; jwk: object }>(
    'select kid, private_key_encrypted as sealed, public_jwk as jwk from push_keys',
  );
  expect(row?.jwk).not.toHaveProperty('d');
  expect(row?.sealed.includes(Buffer.from('prime256v1'))).toBe(false);
  expect(row?.sealed.length).toBeGreaterThan(100);
});
