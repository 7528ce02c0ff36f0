import { expect, type Locator, type Page } from '@playwright/test';
import { harbour, join } from '../api.ts';
import { test } from '../journey.ts';
import { mailedLink, pathIn } from '../mail.ts';
import { onboard, password, signIn, signUp, stranger } from '../people.ts';

test('[1.1 2.41 D1 D2 D3 D43] an invite made on the screen leads a newcomer through sign-up into its organisation and team', async ({
  page,
  browser,
  expectRefusal,
}) => {
  const { admin } = await harbour(page.request);
  const newcomer = stranger('Nadia Petrova');
  let link = '';
  await test.step('the admin makes an invite for a team', async () => {
    await signIn(page, admin.email);
    await page.goto('/admin');
    await page.getByRole('link', { name: 'Invites' }).click();
    await page.getByRole('button', { name: 'New invite' }).click();
    await page.getByLabel('How many may join').fill('1');
    await page.getByLabel('Team').selectOption({ label: '🔥 Blazers' });
    await page.getByRole('button', { name: 'Create invite' }).click();
    await expect(page.getByRole('img', { name: 'QR code of the link' })).toBeVisible();
    link = pathIn((await page.locator('code', { hasText: '/signup?invite=' }).textContent()) ?? '');
  });

  const other = await browser.newContext();
  const theirs = await other.newPage();
  await test.step('the newcomer sees where it leads, signs up and meets the team', async () => {
    await theirs.goto(link);
    await expect(theirs.getByText(/You are joining Harbour/)).toBeVisible();
    await signUp(theirs, newcomer, link);
    await onboard(theirs, /team Blazers/);
    await expect(theirs.getByRole('heading', { level: 1 })).toContainText("Let's go, Nadia");
  });

  await test.step('the admin finds them among the members, and the invite is used up', async () => {
    await page.goto('/admin/members');
    await page.getByRole('searchbox').fill(newcomer.email);
    await expect(page.getByRole('row', { name: /Nadia Petrova.*Blazers/ })).toBeVisible();
    await page.goto('/admin/invites');
    await expect(page.getByRole('listitem').filter({ hasText: 'Used up' })).toContainText('1 joined / 1');
    await theirs.goto('/admin');
    await expect(theirs.getByRole('heading', { level: 1 })).toContainText("Let's go");
  });

  await test.step('the next one is told that it is used up', async () => {
    expectRefusal(422, /^\/api\/invitations$/);
    const late = await (await browser.newContext()).newPage();
    await late.goto(link);
    await expect(late.getByRole('status').filter({ hasText: /used/i })).toBeVisible();
    await expect(late.getByRole('button', { name: 'Start a new organisation' })).toBeVisible();
  });
  await other.close();
});

test('[2.50 2.54 4.14 4.15 7.7 7.8 8.7] who forgot the password sets a new one by mail: the old session is dead, the new password signs in', async ({
  page,
  browser,
  expectRefusal,
}) => {
  const person = await join(page.request);
  const fresh = `${password}-new`;
  await test.step('signed in on one device, and twenty quick reloads keep it so', async () => {
    await signIn(page, person.email);
    for (let reload = 0; reload < 20; reload += 1) {
      const check = page.waitForRequest('**/api/me');
      // The browser may be between two pages just then and refuse.
      await expect(() => page.reload({ waitUntil: 'commit' })).toPass();
      await check;
    }
    await expect(page.getByRole('heading', { level: 1 })).toContainText("Let's go");
    await expect(page).toHaveURL(/\/dashboard$/);
  });

  const elsewhere = await (await browser.newContext()).newPage();
  let link = '';
  await test.step('asks for a link on another', async () => {
    await elsewhere.goto('/login');
    await elsewhere.getByRole('button', { name: 'Continue with Email' }).click();
    await elsewhere.getByRole('link', { name: 'Forgot your password?' }).click();
    await expect(elsewhere.getByRole('heading', { name: 'Forgot your password?' })).toBeVisible();
    await elsewhere.getByLabel('Email').fill(person.email);
    await elsewhere.getByRole('button', { name: 'Send Reset Link' }).click();
    await expect(elsewhere.getByRole('heading', { name: 'Check your email!' })).toBeVisible();
    link = await mailedLink(person.email, '/reset-password?token=');
  });

  await test.step('sets a new password; the token leaves the address bar', async () => {
    await elsewhere.goto(link);
    await expect(elsewhere).toHaveURL(/\/reset-password$/);
    await elsewhere.getByLabel('New password', { exact: true }).fill(fresh);
    await elsewhere.getByRole('button', { name: 'Update Password' }).click();
    await expect(elsewhere.getByRole('heading', { name: 'Password Updated!' })).toBeVisible();
  });

  await test.step('the first device is signed out', async () => {
    expectRefusal(401, /^\/api\//);
    const headers = { authorization: `Bearer ${await page.evaluate(() => localStorage.getItem('token'))}` };
    await expect.poll(async () => (await page.request.get('/api/me', { headers })).status()).toBe(401);
    await page.goto('/dashboard');
    await expect(page).toHaveURL(/\/login$/);
  });

  await test.step('the link works once, the old password not at all, the new one does', async () => {
    expectRefusal(422, /^\/api\/reset-password$/);
    const again = await (await browser.newContext()).newPage();
    await again.goto(link);
    await again.getByLabel('New password', { exact: true }).fill(`${fresh}-2`);
    await again.getByRole('button', { name: 'Update Password' }).click();
    await expect(again.getByText('Reset Failed', { exact: true })).toBeVisible();
    const refused = await page.request.post('/api/login', { data: { email: person.email, password } });
    expect(refused.status()).toBe(401);
    await elsewhere.getByRole('link', { name: 'Sign In Now' }).click();
    await elsewhere.getByRole('button', { name: 'Continue with Email' }).click();
    await expect(elsewhere).toHaveURL(/\/login$/);
    await signIn(elsewhere, person.email, fresh);
  });

  const next = stranger(person.name).email;
  await test.step('[D54] takes another address: with the password, and once its mailed link is opened', async () => {
    await elsewhere.goto('/settings');
    await expect(elsewhere.getByRole('region', { name: 'Confirm your email' })).toHaveCount(0);
    await elsewhere.getByLabel('Email', { exact: true }).fill(next);
    await elsewhere.getByLabel('Current password', { exact: true }).fill(fresh);
    await elsewhere.getByRole('button', { name: 'Save Changes' }).click();
    await expect(elsewhere.getByText(`Open the link that was mailed to ${next}. Until then`)).toBeVisible();
    await expect(elsewhere.getByLabel('Email', { exact: true })).toHaveValue(person.email);
    const opened = await (await browser.newContext()).newPage();
    await opened.goto(await mailedLink(next, '/confirm-email?token='));
    await expect(opened.getByRole('heading', { name: 'Your email is confirmed!' })).toBeVisible();
    await expect(opened).toHaveURL(/\/confirm-email$/);
    await expect(elsewhere.getByLabel('Email', { exact: true })).toHaveValue(next);
  });

  await test.step('[D54] the old address undoes it: every device is signed out, a new password is set by mail', async () => {
    await page.goto(await mailedLink(person.email, '/undo-email?token='));
    await page.getByRole('button', { name: 'Keep this address' }).click();
    await expect(page.getByRole('heading', { name: 'Your address is yours again' })).toBeVisible();
    await elsewhere.goto('/dashboard');
    await expect(elsewhere).toHaveURL(/\/login$/);
    await elsewhere.goto(await mailedLink(person.email, '/reset-password?token='));
    await elsewhere.getByLabel('New password', { exact: true }).fill(`${fresh}-3`);
    await elsewhere.getByRole('button', { name: 'Update Password' }).click();
    await elsewhere.getByRole('link', { name: 'Sign In Now' }).click();
    await signIn(elsewhere, person.email, `${fresh}-3`);
  });
});

const links = ['Home', 'Feed', 'Scoreboard', 'Explore', 'Profile'];

/** Where something is painted: distances to the edges of the window, and how round it is. */
const placeOf = (thing: Locator) =>
  thing.evaluate((element) => {
    const { left, top, right, bottom, width, height } = element.getBoundingClientRect();
    const { innerWidth, innerHeight } = window;
    const radius = getComputedStyle(element).borderRadius;
    return { left, top, fromRight: innerWidth - right, fromBottom: innerHeight - bottom, width, height, radius };
  });

/** As far as what has loaded so far allows. */
async function scrollDown(page: Page): Promise<void> {
  const scroll = () => {
    scrollTo({ top: 400, behavior: 'instant' });
    return scrollY;
  };
  await expect.poll(() => page.evaluate(scroll)).toBeGreaterThan(100);
}

test('[2.22 2.25 2.28 9.32] what leads through the product stays in place while one scrolls, on phones and on desks', async ({
  page,
}) => {
  const { admin } = await harbour(page.request);
  await page.setViewportSize({ width: 767, height: 600 });
  await signIn(page, admin.email);
  const round = page.getByRole('button', { name: 'Start the timer' });
  const main = page.getByRole('navigation', { name: 'Main' });
  await test.step('below 768 px a dock at the bottom, the round button beside it on the right', async () => {
    await scrollDown(page);
    await expect(page.getByRole('banner')).toHaveCount(0);
    const dock = await placeOf(main);
    expect([dock.left, dock.fromBottom]).toEqual([10, 10]);
    const { fromRight, fromBottom, width, height, radius } = await placeOf(round);
    expect([width === height, radius, fromRight < 40, fromBottom < 140]).toEqual([true, '50%', true, true]);
    expect(dock.fromRight).toBeGreaterThan(fromRight + width);
  });

  await test.step('from 768 px a header at the top with the dot on its bell, the button in the corner', async () => {
    await page.setViewportSize({ width: 768, height: 600 });
    await expect(page.getByRole('banner')).toBeVisible();
    await scrollDown(page);
    expect(await placeOf(page.getByRole('banner'))).toMatchObject({ left: 0, top: 0 });
    await expect(page.getByRole('banner').getByRole('link')).toHaveText([/Caravan/, ...links, /My profile/]);
    const dot = page.getByRole('button', { name: 'Notifications' }).locator('span span');
    await expect(dot).toBeVisible();
    const [red = 0, green = 0, blue = 0] = await dot.evaluate((element) =>
      (getComputedStyle(element).backgroundColor.match(/\d+/g) ?? []).map(Number),
    );
    expect(red).toBeGreaterThan(2 * Math.max(green, blue));
    const { fromRight, fromBottom } = await placeOf(round);
    expect([fromRight < 40, fromBottom < 40]).toEqual([true, true]);
  });
});
