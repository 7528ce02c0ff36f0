import { randomUUID } from '@caravan/contracts/testing/seeded';
import { addDays, localDateOf, weekStartOf } from '@caravan/contracts/domain/time/local-days';
import { noonZone } from '@caravan/contracts/testing/noon-zone';
import { expect, type Page } from '@playwright/test';
import { type Caller, join } from '../api.ts';
import { target } from '../env.ts';
import { test } from '../journey.ts';
import { mailedLink } from '../mail.ts';
import { signIn } from '../people.ts';

const bellOf = (page: Page) => page.getByRole('banner').getByRole('button', { name: /^Notifications/ });
const unreadOf = async (page: Page) => Number(/\d+/.exec((await bellOf(page).getAttribute('aria-label')) ?? '')?.[0]);

const showing = ({ headers }: Caller) => ({
  ...headers,
  'content-type': 'application/json',
  'x-service-credential': target().serviceCredential,
});

/** A log of another day, as histories come in. */
async function logThen(who: Caller, startedAt: string, photoPrompt: string): Promise<void> {
  const log = { activityType: 'Hiking', durationMinutes: 60, source: 'timer', startedAt, photoPrompt };
  const answer = await fetch(`${target().services.activity}/internal/movements`, {
    method: 'POST',
    body: JSON.stringify(log),
    headers: { ...showing(who), 'idempotency-key': randomUUID() },
  });
  expect(answer.status).toBe(200);
}

/** Nothing waits for Kafka, and every message of others is applied. */
async function isCaughtUp(service: 'activity' | 'scoring' | 'social', who: Caller): Promise<boolean> {
  const answer = await fetch(`${target().services[service]}/metrics`, { headers: showing(who) });
  const waiting = (await answer.text()).matchAll(/^caravan_(?:outbox_rows|consumer_lag_messages)(?:\{.*\})? (.+)$/gm);
  return [...waiting].every(([, messages]) => Number(messages) === 0);
}

/** As on the Monday after, once all of the week has arrived. */
async function build(week: string, who: Caller): Promise<void> {
  for (const service of ['activity', 'scoring', 'social'] as const)
    await expect.poll(() => isCaughtUp(service, who), { timeout: 60_000 }).toBe(true);
  const address = `${target().services.social}/internal/recaps/${week}`;
  expect((await fetch(address, { method: 'POST', headers: showing(who), body: '{}' })).status).toBe(200);
}

/** As far as this journey knows it. */
type PushWorker = {
  readonly registration: { getNotifications(): Promise<Notification[]> };
  readonly NotificationEvent: new (type: string, about: { notification: Notification | undefined }) => Event;
  dispatchEvent(event: Event): boolean;
};

test('[1.12 2.25 3.16 3.17 3.46 D27 D28 D34] what happens is told: on the bell, by mail, by push, and as the story of the week', async ({
  page,
  browser,
  request,
}) => {
  const admin = await join(request, `Harbour ${randomUUID().slice(0, 8)}`);
  const monday = addDays(weekStartOf(localDateOf(new Date(), noonZone())), -7);
  const caption = `Up the hill, ${randomUUID().slice(0, 8)}`;
  const data = { activityType: 'Hiking', durationMinutes: 60, photoPrompt: caption };
  expect((await request.post('/api/log', { headers: admin.headers, data })).status()).toBe(200);
  await page.goto(await mailedLink(admin.email, '/confirm-email?token='));
  await expect(page.getByRole('heading', { name: 'Your email is confirmed!' })).toBeVisible();
  const invite = await request.post('/api/invites', { headers: admin.headers, data: {} });
  const colleague = await join(request, undefined, ((await invite.json()) as { code: string }).code);
  await signIn(page, admin.email);
  const elsewhere = await (await browser.newContext()).newPage();

  await test.step('a colleague cheers: the bell counts up without a reload, and leads to the post', async () => {
    await expect.poll(() => unreadOf(page)).toBeGreaterThan(0);
    const before = await unreadOf(page);
    const other = await (await browser.newContext()).newPage();
    await signIn(other, colleague.email);
    await other.goto('/feed');
    await other.getByRole('article').filter({ hasText: caption }).getByRole('button', { name: 'Strong' }).click();
    await expect.poll(() => unreadOf(page)).toBeGreaterThan(before);
    await bellOf(page).click();
    const panel = page.getByRole('dialog', { name: 'Notifications' });
    await panel.getByRole('link', { name: `${colleague.name} cheered your hike` }).click();
    await expect(page).toHaveURL(/\/feed\/[0-9a-f-]{36}$/);
    await expect(page.getByText(caption)).toBeVisible();
    await other.context().close();
  });

  await test.step('the mail about who has joined is the last of its kind once its link was pressed, signed in or not', async () => {
    await elsewhere.goto(await mailedLink(admin.email, '/unsubscribe?token='));
    await elsewhere.getByRole('button', { name: 'Unsubscribe' }).click();
    await expect(elsewhere.getByRole('heading', { name: 'You are unsubscribed' })).toBeVisible();
    await expect(elsewhere.getByText('Email notifications are off.')).toBeVisible();
    await page.goto('/settings');
    await expect(page.getByRole('switch', { name: 'Email notifications' })).not.toBeChecked();
  });

  await test.step('what is pushed to this device is shown, and opens where it leads', async () => {
    const { origin } = new URL(target().url);
    await page.context().grantPermissions(['notifications'], { origin });
    await page.reload();
    await page.getByRole('button', { name: 'Allow on this device' }).click();
    const worker =
      page.context().serviceWorkers()[0] ?? (await page.context().waitForEvent('serviceworker', { timeout: 30_000 }));
    expect(worker.url()).toBe(`${origin}/push-worker.js`);
    const devtools = await page.context().newCDPSession(page);
    const registered = Promise.withResolvers<string>();
    devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations: [first] }) => {
      if (first) registered.resolve(first.registrationId);
    });
    await devtools.send('ServiceWorker.enable');
    const data = JSON.stringify({ id: 'n1', text: 'Your streak of 3 days ends tonight', link: '/timer' });
    const registrationId = await registered.promise;
    // The browser drops without a word what comes before the worker is active.
    await page.evaluate(async () => {
      await navigator.serviceWorker.ready;
    });
    const shownNotices = () =>
      worker.evaluate(async () => {
        const { registration } = globalThis as unknown as PushWorker;
        return (await registration.getNotifications()).map(({ title, body, tag }) => ({ title, body, tag }));
      });
    // A busy browser may lose one. The same notice again takes the place of the first.
    await expect(async () => {
      await devtools.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data });
      expect(await shownNotices()).toEqual([
        { title: 'Caravan', body: 'Your streak of 3 days ends tonight', tag: 'n1' },
      ]);
    }).toPass();
    // Only a page that was opened since is the worker's to lead.
    await page.reload();
    await worker.evaluate(async () => {
      const scope = globalThis as unknown as PushWorker;
      const [notification] = await scope.registration.getNotifications();
      scope.dispatchEvent(new scope.NotificationEvent('notificationclick', { notification }));
    });
    await expect(page).toHaveURL(/\/timer$/);
    expect(await shownNotices()).toEqual([]);
  });

  await test.step('on Monday the story of the week is there, with the words of who said yes, and is answered', async () => {
    const privacy = { featuredInRecaps: true };
    await request.patch('/api/me/settings', { headers: colleague.headers, data: { privacy } });
    const said = `Twice around the bay, ${randomUUID().slice(0, 8)}`;
    await logThen(colleague, `${addDays(monday, 3)}T12:00:00.000Z`, said);
    // The newer one, but nobody has said that it may be quoted.
    await logThen(admin, `${addDays(monday, 4)}T12:00:00.000Z`, 'Not to be quoted');
    await page.goto('/dashboard');
    await build(monday, admin);
    const card = page.getByRole('region', { name: 'Last week’s story' });
    await expect(card).toContainText('12.0 miles together');
    await card.getByRole('link', { name: 'Read the story' }).click();
    await expect(page).toHaveURL(new RegExp(`/recaps/${monday}$`));
    await expect(page.getByRole('main')).toContainText('2 people moved');
    await expect(page.getByText(said)).toBeVisible();
    await page.getByRole('button', { name: /^Celebrate/ }).click();
    await page.getByRole('button', { name: /^Thrilled|Thrilled$/ }).click();
    await bellOf(page).click();
    const panel = page.getByRole('dialog', { name: 'Notifications' });
    await expect(panel.getByRole('link', { name: 'The recap of last week is ready' })).toBeVisible();
    await page.keyboard.press('Escape');
    await page.reload();
    await expect(page.getByRole('button', { name: /^Celebrate/ })).toHaveAttribute('aria-pressed', 'true');
    await page.goto('/dashboard');
    await expect(page.getByRole('link', { name: 'Weekly recaps' })).toBeVisible();
  });
  await elsewhere.context().close();
});
