import { expect, type APIRequestContext } from '@playwright/test';
import { harbour, type Caller } from '../api.ts';
import { test } from '../journey.ts';
import { signIn } from '../people.ts';

async function log(request: APIRequestContext, who: Caller, durationMinutes: number): Promise<void> {
  const answer = await request.post('/api/log', {
    headers: who.headers,
    data: { activityType: 'Walking', durationMinutes, photoPrompt: 'Along the harbour' },
  });
  expect(answer.status()).toBe(200);
}

test('[1.11 2.94 2.95 2.96 4.37 4.38 D13 D35] the first log earns a badge: a notice says so at once, the gallery keeps it', async ({
  page,
  request,
}) => {
  const { admin } = await harbour(request);
  await signIn(page, admin.email);
  await page.goto('/badges');
  await expect(page.getByRole('heading', { name: 'Your Streak Badges (0)' })).toBeVisible();
  await test.step('each of the 27 badges has a picture of its own, and none a sign of the device’s font', async () => {
    const all = page.getByRole('region', { name: 'All badges' });
    await expect(all.getByRole('listitem')).toHaveCount(27);
    await expect(all).not.toContainText(/\p{Extended_Pictographic}/u);
  });
  const first = page.getByRole('button', { name: /^First Steps/ });
  await test.step('before, the badge says what it asks for', async () => {
    await first.click();
    await expect(page.getByRole('dialog')).toContainText("You're 1 away from unlocking this badge!");
    await page.keyboard.press('Escape');
    await expect(first).toBeFocused();
  });

  await test.step('a log, made elsewhere, is told of on the open page', async () => {
    await log(request, admin, 10);
    const notices = ['First Steps', 'First Mile'].map((badge) =>
      page.getByText(`You earned the ${badge} badge!`, { exact: true }),
    );
    await Promise.all(notices.map((notice) => expect(notice).toBeVisible()));
  });

  await test.step('the gallery counts it, and a reload says nothing twice', async () => {
    await expect(page.getByRole('heading', { name: 'Your Streak Badges (2)' })).toBeVisible();
    await page.getByRole('button', { name: 'Activity', exact: true }).click();
    await page.getByRole('button', { name: 'All', exact: true }).click();
    await first.click();
    await expect(page.getByRole('dialog')).toContainText('Earned on');
    await expect(page.getByRole('dialog')).toContainText('this week');
    await page.clock.install();
    await page.reload();
    await expect(first).toContainText('this week');
    await page.clock.runFor(3000);
    await expect(page.getByText(/^You earned the/)).toHaveCount(0);
  });

  await test.step('the own profile shows it too', async () => {
    await page.goto('/profile');
    await page.getByRole('tab', { name: 'Badges' }).click();
    await expect(page.getByRole('list', { name: /Your Streak Badges/ })).toContainText('First Steps');
  });
});

test('[1.4 2.77 D33 D43] the admin chooses a route; a checkpoint passed by the team brings its postcard', async ({
  page,
  request,
  expectRefusal,
}) => {
  // The day that has not come.
  expectRefusal(422, /^\/api\/journey$/);
  const { admin } = await harbour(request);
  await signIn(page, admin.email);
  await test.step('the admin chooses the way', async () => {
    await page.goto('/admin');
    await page.getByRole('link', { name: /The route that all teams travel/ }).click();
    const choice = page.getByRole('region', { name: 'Set out anew' });
    const routes = choice.getByLabel('Route');
    await routes.selectOption(await routes.locator('option', { hasText: 'Camino' }).getAttribute('value'));
    const preview = page.getByRole('region', { name: 'Preview' });
    await expect(preview.getByRole('img', { name: 'Map of Camino Francés' })).toBeVisible();
    await expect(preview.getByRole('listitem').last()).toContainText('Santiago de Compostela 484 mi');
    const wall = await routes.locator('option', { hasText: 'Wall Path' }).getAttribute('value');
    await routes.selectOption(wall);
    await choice.getByRole('button', { name: 'Set out' }).click();
    await expect(page.getByRole('img', { name: /^Map of Hadrian.s Wall Path$/ })).toBeVisible();
  });

  await test.step('a day that has not come is refused at the field', async () => {
    const choice = page.getByRole('region', { name: 'Set out anew' });
    await choice.getByLabel('First day').fill('2199-01-01');
    await choice.getByRole('button', { name: 'Set out' }).click();
    await expect(page.getByText(/cannot start in the future/).first()).toBeVisible();
  });

  await test.step('the open map follows the miles of the team to its first stop', async () => {
    await page.goto('/journey');
    await expect(page.getByRole('heading', { name: /: 5\.0 miles to Newcastle upon Tyne$/ })).toBeVisible();
    await log(request, admin, 60);
    await expect(page.getByRole('heading', { name: /: 9\.0 miles to Heddon-on-the-Wall$/ })).toBeVisible();
    await expect(page.getByRole('row', { name: /Newcastle upon Tyne/ })).toContainText('Reached');
  });

  await test.step('its postcard opens with place, story and date; the dashboard knows the next stop', async () => {
    await page
      .getByRole('region', { name: 'Postcards' })
      .getByRole('button', { name: /Newcastle upon Tyne/ })
      .click();
    const card = page.getByRole('dialog', { name: 'Greetings from Newcastle upon Tyne' });
    await expect(card).toContainText('Seven bridges cross the river');
    await expect(card).toContainText('Newcastle upon Tyne, United Kingdom');
    await page.keyboard.press('Escape');
    await page.goto('/dashboard');
    await page.getByRole('link', { name: 'Next stop: Heddon-on-the-Wall, 9.0 miles' }).click();
    await expect(page).toHaveURL(/\/journey$/);
  });
});

test('[2.77 D14 D38] an admin writes a challenge, is told what is wrong, and switches one off', async ({
  page,
  request,
  expectRefusal,
}) => {
  expectRefusal(422, /^\/api\/challenge-templates$/);
  const { admin } = await harbour(request);
  await signIn(page, admin.email);
  await page.goto('/admin/challenges');
  const rows = page.getByRole('main').getByRole('listitem');
  await expect(rows.first()).toBeVisible();
  const before = await rows.count();
  await page.getByRole('button', { name: 'New challenge' }).click();
  const form = page.getByRole('dialog', { name: 'New challenge' });
  await form.getByLabel('Name').fill('Stairs, not lifts');
  await form.getByLabel('Description').fill('Move on six days');
  await form.getByLabel('Target').fill('many');
  await form.getByLabel('Bonus miles').fill('2');
  await form.getByLabel('Unit').selectOption({ label: 'days' });
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(form.getByText('Target must be a number')).toBeVisible();
  await form.getByLabel('Target').fill('6');
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(form).toBeHidden();
  await expect(rows).toHaveCount(before + 1);
  const own = page.getByRole('switch', { name: 'Stairs, not lifts takes part' });
  await own.click();
  await expect(own).toHaveAttribute('aria-checked', 'false');
});
