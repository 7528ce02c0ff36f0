import { readFileSync } from 'node:fs';
import { expect, type Page } from '@playwright/test';
import { harbour, join } from '../api.ts';
import { test } from '../journey.ts';
import { password, signIn } from '../people.ts';
import { answerAt, milesOfNewcomer, newcomer, revoke, workOut, workoutsOfNewcomer } from '../platforms.ts';
import { stat } from '../screens.ts';

const halfAnHour = { activityType: 'Walking', durationMinutes: 30 };

async function save(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expect(page.getByText('Settings Updated', { exact: true })).toBeVisible();
}

test('[2.102 4.32 5.25 6.9 7.31 8.14 D18 D46] edit a profile, follow it, hide it and show it again', async ({
  page,
  browser,
  request,
  expectRefusal,
}) => {
  // While it is hidden.
  expectRefusal(404, /^\/api\/users\/[^/]+(\/photos)?$/);
  const { admin: owner, colleague } = await harbour(request);
  const other = await (await browser.newContext()).newPage();
  await signIn(page, owner.email);
  await signIn(other, colleague.email);

  await test.step('the owner says something about herself', async () => {
    await page.goto('/profile');
    await page.getByRole('link', { name: 'Edit Profile' }).click();
    await page.getByLabel('Bio').fill('x'.repeat(130));
    await expect(page.getByText('120/120')).toBeVisible();
    await page.getByLabel('Bio').fill('Every stair counts.');
    await page.getByLabel('Location').fill('Porto');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(page.getByText('Profile Updated', { exact: true })).toBeVisible();
  });

  await test.step('a colleague reads it and follows her; she sees it without a reload', async () => {
    await other.goto(`/user/${owner.id}`);
    await expect(other.getByText('Every stair counts.')).toBeVisible();
    await other.getByRole('button', { name: 'Follow', exact: true }).click();
    await expect(other.getByRole('button', { name: '1 follower', exact: true })).toBeVisible();
    await page.goto('/profile');
    await page.getByRole('button', { name: '1 follower', exact: true }).click();
    await expect(page.getByRole('dialog').getByRole('link', { name: colleague.name })).toBeVisible();
    await page.keyboard.press('Escape');
  });

  await test.step('hidden, it is not found any more', async () => {
    await page.goto('/settings');
    await page.getByRole('switch', { name: 'Show my profile' }).click();
    await save(page);
    await expect(other.getByRole('heading', { name: 'Profile not found' })).toBeVisible();
    await other.reload();
    await expect(other.getByRole('heading', { name: 'Profile not found' })).toBeVisible();
  });

  await test.step('shown again, it is there', async () => {
    await page.getByRole('switch', { name: 'Show my profile' }).click();
    await save(page);
    await other.reload();
    await expect(other.getByText('Every stair counts.')).toBeVisible();
  });
  await other.context().close();
});

test('[3.46 9.22 D39] units and theme hold after a reload, and on another device', async ({
  page,
  browser,
  request,
}) => {
  const person = await join(request);
  await request.post('/api/log', { headers: person.headers, data: halfAnHour });
  await signIn(page, person.email);
  await page.goto('/settings');
  await page.getByRole('radio', { name: 'Dark' }).click();
  await page.getByRole('radio', { name: 'Kilometers' }).click();
  await save(page);
  await page.goto('/dashboard');
  const total = (where: Page) => where.locator('dl > div').filter({ hasText: /^Total km/ });
  await expect(total(page)).toContainText('4.8');
  expect(await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)).toBe('dark');
  const elsewhere = await (await browser.newContext()).newPage();
  await signIn(elsewhere, person.email);
  await expect(total(elsewhere)).toContainText('4.8');
  await expect(elsewhere.locator('html')).toHaveAttribute('data-theme', 'dark');
  await elsewhere.context().close();
});

test('[D43] another device is signed out from here', async ({ page, browser, request, expectRefusal }) => {
  expectRefusal(401, /^\/api\//);
  const person = await join(request);
  const elsewhere = await (await browser.newContext()).newPage();
  await signIn(elsewhere, person.email);
  await signIn(page, person.email);
  await page.goto('/settings');
  await page.getByRole('button', { name: 'Sign out everywhere else' }).click();
  await expect(page.getByText('Signed out everywhere else', { exact: true })).toBeVisible();
  await elsewhere.goto('/feed');
  await expect(elsewhere).toHaveURL(/\/login$/);
  await elsewhere.context().close();
});

test('[D18 D39 D43] take the data along and leave for good: miles stay, the name goes', async ({
  page,
  browser,
  request,
  expectRefusal,
}) => {
  // The password is wrong at first.
  expectRefusal(422, /^\/api\/me$/);
  const { admin, colleague: person } = await harbour(request);
  await request.post('/api/log', { headers: person.headers, data: halfAnHour });
  const board = await (await browser.newContext()).newPage();
  await signIn(board, admin.email);
  await board.goto('/leaderboard');
  const row = board.locator(`a[href="/user/${person.id}"]`);
  await expect(row).toBeVisible();
  await signIn(page, person.email);
  await page.goto('/settings');

  await test.step('the export is a zip', async () => {
    await page.getByRole('button', { name: 'Request export' }).click();
    const button = page.getByRole('button', { name: /^Download/ });
    await expect(button).toBeVisible({ timeout: 60_000 });
    const [download] = await Promise.all([page.waitForEvent('download'), button.click()]);
    expect(download.suggestedFilename()).toMatch(/\.zip$/);
    expect(
      readFileSync(await download.path())
        .subarray(0, 2)
        .toString(),
    ).toBe('PK');
  });

  await test.step('erasing asks for the password, ends the session and says farewell', async () => {
    await page.getByRole('button', { name: 'Erase account' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Your password').fill('Wrong-2026!');
    await dialog.getByRole('button', { name: 'Erase for good' }).click();
    await expect(dialog.getByLabel('Your password')).toHaveAttribute('aria-invalid', 'true');
    await dialog.getByLabel('Your password').fill(password);
    await dialog.getByRole('button', { name: 'Erase for good' }).click();
    await expect(page).toHaveURL(/\/login$/);
    await expect(page.getByText('Farewell', { exact: true })).toBeVisible();
  });

  await test.step('nobody signs in with it any more', async () => {
    const answer = await request.post('/api/login', { data: { email: person.email, password } });
    expect(answer.status()).toBe(401);
  });

  await test.step("a colleague's open scoreboard forgets the name and keeps the miles", async () => {
    await expect(board.getByText('A former member')).toBeVisible();
    await expect(board.getByText('3.0 mi', { exact: true })).toBeVisible();
    await expect(row).toHaveCount(0);
    await expect(board.getByRole('link', { name: 'A former member' })).toHaveCount(0);
  });
  await board.context().close();
});

const rowOf = (page: Page, device: string) =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: device, level: 3 }) });

async function totalIs(page: Page, miles: string): Promise<void> {
  await page.goto('/dashboard');
  await expect(stat(page, 'Total miles')).toContainText(miles);
}

test('[1.16 2.82 2.85 4.30 7.21 7.22 7.24 8.11 8.14 D21 D35] Strava brings workouts that only their owner sees, earns by consent alone, and takes all back when revoked', async ({
  page,
  browser,
  request,
}) => {
  const { admin: owner, colleague } = await harbour(request);
  const person = newcomer();
  const other = await (await browser.newContext()).newPage();
  await signIn(page, owner.email);
  await signIn(other, colleague.email);
  await other.goto('/feed');

  await test.step('who thinks better of it there reads why nothing was connected', async () => {
    await page.goto('/account-settings?connect=strava');
    await expect(page).toHaveURL(/\/account-settings$/);
    await expect(rowOf(page, 'Strava')).toHaveAttribute('aria-current', 'true');
    await page.getByRole('button', { name: 'Connect Strava' }).click();
    await page.getByRole('button', { name: 'Continue to Strava' }).click();
    await answerAt('Strava', page, person, 'Cancel');
    await expect(page.getByText('Could not connect to Strava. Please try again.', { exact: true })).toBeVisible();
    await expect(rowOf(page, 'Strava').getByRole('status')).toContainText('You did not allow it at Strava');
  });

  await test.step('without the tick its workouts come, for their owner alone, and earn nothing', async () => {
    await page.getByRole('button', { name: 'Connect Strava' }).click();
    await expect(page.getByRole('checkbox', { name: 'Let my Strava workouts earn miles' })).not.toBeChecked();
    await page.getByRole('button', { name: 'Continue to Strava' }).click();
    await answerAt('Strava', page, person, 'Authorize');
    await expect(page.getByText('Strava is connected', { exact: true })).toBeVisible();
    await expect(page).toHaveURL(/\/account-settings$/);
    await expect(rowOf(page, 'Strava')).toContainText(`Athlete ID: ${person}`);
    await expect(page.getByText(/^Last synced /)).toBeVisible();
    await page.getByRole('link', { name: 'Imported workouts' }).click();
    const workouts = page.getByRole('region', { name: 'Workouts' }).getByRole('listitem');
    await expect(workouts.filter({ hasText: 'Earns no miles' })).toHaveCount(workoutsOfNewcomer);
    await expect(page.getByRole('region', { name: 'Sync history' })).toContainText('First fetch after connecting');
    await page.goto('/feed');
    await page.getByRole('tab', { name: 'My Activity' }).click();
    await expect(page.getByRole('article').filter({ hasText: 'Strava' })).toHaveCount(workoutsOfNewcomer);
    await totalIs(page, '0.0');
  });

  await test.step('the consent given later counts for what came before too; others see miles and nothing else', async () => {
    await page.goto('/settings#fitness-devices');
    await page.getByRole('switch', { name: 'Let my Strava workouts earn miles' }).click();
    await expect(rowOf(page, 'Strava')).toContainText('Seen by you alone; earns miles.');
    await totalIs(page, milesOfNewcomer);
    await other.goto('/leaderboard');
    await expect(other.getByRole('main')).toContainText(milesOfNewcomer);
    for (const path of ['/feed', '/activity-feed']) {
      await other.goto(path);
      await expect(other.getByRole('link', { name: 'Start the timer' }).first()).toBeVisible();
      await expect(other.getByRole('article')).toHaveCount(0);
    }
  });

  await test.step('a new workout arrives by itself; syncing by hand finds no second one', async () => {
    await page.goto('/dashboard');
    await workOut('Strava', person, { type: 'Run', movingSeconds: 1_800 });
    await expect(stat(page, 'Total miles')).toContainText('19.1');
    await page.goto('/account-settings');
    await page.getByRole('button', { name: 'Sync Now' }).click();
    await expect(page.getByText('Synced 0 new activities', { exact: true })).toBeVisible();
    await totalIs(page, '19.1');
  });

  await test.step('revoked at Strava, it is gone here: the connection, the workouts and the miles', async () => {
    await page.goto('/account-settings');
    await expect(rowOf(page, 'Strava')).toContainText('Connected');
    await revoke('Strava', person);
    await expect(page.getByRole('button', { name: 'Connect Strava' })).toBeVisible();
    await page.getByRole('link', { name: 'Imported workouts' }).click();
    await expect(page.getByText('Nothing imported yet')).toBeVisible();
    await totalIs(page, '0.0');
  });

  await test.step('with the tick the miles come along', async () => {
    const again = newcomer();
    await page.goto('/account-settings');
    await page.getByRole('button', { name: 'Connect Strava' }).click();
    await page.getByRole('checkbox', { name: 'Let my Strava workouts earn miles' }).check();
    await page.getByRole('button', { name: 'Continue to Strava' }).click();
    await answerAt('Strava', page, again, 'Authorize');
    await expect(page.getByText('Strava is connected', { exact: true })).toBeVisible();
    await totalIs(page, milesOfNewcomer);
  });
  await other.context().close();
});

test('[4.30 4.31 7.23 D8 D18 D22 D24 D25] Fitbit is connected from the settings, shown to the team, counted once beside Strava, and deleted with its miles', async ({
  page,
  browser,
  request,
}) => {
  const { admin: owner, colleague } = await harbour(request);
  const other = await (await browser.newContext()).newPage();
  await signIn(page, owner.email);
  await signIn(other, colleague.email);
  await other.goto('/feed');

  await test.step('its workouts count at once, and colleagues see them without a reload', async () => {
    await page.goto('/settings');
    await page.getByRole('button', { name: 'Connect Fitbit' }).click();
    await answerAt('Fitbit', page, newcomer(), 'Authorize');
    await expect(page.getByText('Fitbit is connected', { exact: true })).toBeVisible();
    await expect(page).toHaveURL(/\/settings$/);
    await expect(rowOf(page, 'Fitbit')).toContainText('Connected');
    await totalIs(page, milesOfNewcomer);
    await expect(other.getByRole('article').filter({ hasText: 'Fitbit' })).toHaveCount(workoutsOfNewcomer);
  });

  await test.step('the same workouts from Strava count once, unless their owner says otherwise', async () => {
    await page.goto('/account-settings');
    await page.getByRole('button', { name: 'Connect Strava' }).click();
    await page.getByRole('checkbox', { name: 'Let my Strava workouts earn miles' }).check();
    await page.getByRole('button', { name: 'Continue to Strava' }).click();
    await answerAt('Strava', page, newcomer(), 'Authorize');
    await page.getByRole('link', { name: 'Imported workouts' }).click();
    const workouts = page.getByRole('region', { name: 'Workouts' }).getByRole('listitem');
    await expect(workouts.filter({ hasText: 'Not counted' })).toHaveCount(workoutsOfNewcomer);
    await totalIs(page, milesOfNewcomer);
    await page.goto('/settings/workouts');
    await page.getByRole('button', { name: /^Count it too ?: Running/ }).click();
    await expect(page.getByText('It counts now', { exact: true })).toBeVisible();
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(page.getByText('It does not count any more', { exact: true })).toBeVisible();
  });

  await test.step('deleted by hand, the other recording takes its place, until its owner counts it again', async () => {
    await page.goto('/profile');
    await page.getByRole('button', { name: /^Delete Running/ }).click();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await expect(page.getByText('Log deleted', { exact: true })).toBeVisible();
    await totalIs(page, milesOfNewcomer);
    await page.goto('/settings/workouts');
    const deleted = page.getByRole('region', { name: 'Workouts' }).getByRole('listitem').filter({ hasText: 'Deleted' });
    await expect(deleted).toHaveCount(1);
    await deleted.getByRole('button', { name: /^Count it again/ }).click();
    await expect(page.getByText('It counts now', { exact: true })).toBeVisible();
    await totalIs(page, milesOfNewcomer);
  });

  await test.step('disconnected with what it brought, it leaves what Strava tells of them', async () => {
    await page.goto('/settings');
    await page.getByRole('button', { name: 'Disconnect Fitbit' }).click();
    const dialog = page.getByRole('dialog', { name: 'Disconnect Fitbit?' });
    await dialog.getByRole('radio', { name: 'Delete what was imported' }).click();
    await dialog.getByRole('button', { name: 'Disconnect' }).click();
    await expect(
      page.getByText('4 imported activities and their miles were taken back.', { exact: true }),
    ).toBeVisible();
    await expect(page.getByRole('button', { name: 'Connect Fitbit' })).toBeVisible();
    await totalIs(page, milesOfNewcomer);
    await expect(other.getByRole('article')).toHaveCount(0);
  });
  await other.context().close();
});
