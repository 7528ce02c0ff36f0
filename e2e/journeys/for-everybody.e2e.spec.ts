import { expect, test } from '@playwright/test';
import { expectAccessible, expectNoViolations, isFocusCovered, sizes } from '../accessible.ts';
import { signIn } from '../people.ts';

const screens = [
  '/dashboard',
  '/leaderboard',
  '/timer',
  '/feed',
  '/explore',
  '/profile',
  '/settings',
  '/user/nobody',
  '/team-voting',
  '/no-such-page',
];
const openScreens = [
  '/login',
  '/signup',
  '/signup?invite=NOBODYKNOWSIT',
  '/forgot-password',
  '/reset-password?token=any',
  '/terms',
  '/privacy',
];

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(colorScheme, () => {
    test.use({ colorScheme, contextOptions: { reducedMotion: 'reduce' } });

    test('[D37] no screen shuts anybody out, on phones and on desks', async ({ page }) => {
      for (const path of openScreens) await expectAccessible(page, path);
      await signIn(page, 'maya@caravan.example');
      for (const path of screens) await expectAccessible(page, path);
    });

    test('[2.102 2.104 D37] neither do profiles, their lists and forms, or what asks before it is too late', async ({
      page,
    }) => {
      await signIn(page, 'maya@caravan.example');
      for (const size of sizes) {
        await page.setViewportSize(size);
        await page.goto('/leaderboard');
        await page.getByRole('main').getByRole('link').first().click();
        await expect(page).toHaveURL(/\/user\//);
        await expectNoViolations(page, 'a profile');
        await page.getByRole('button', { name: /followers?$/ }).click();
        await expect(page.getByRole('dialog')).toBeVisible();
        await expectNoViolations(page, 'the list of followers');
        await page.goto('/profile');
        await page.getByRole('link', { name: 'Edit Profile' }).click();
        await expectNoViolations(page, 'the form of the own profile');
        await page.goto('/settings');
        await page.getByLabel('Email', { exact: true }).fill('nobody');
        await page.getByRole('button', { name: 'Save Changes' }).click();
        await expect(page.getByText('Invalid email address')).toBeVisible();
        await expectNoViolations(page, 'settings with a field refused');
        await page.getByRole('link', { name: 'Explore' }).click();
        await expect(page.getByRole('dialog')).toBeVisible();
        await expectNoViolations(page, 'the question before leaving');
        await page.getByRole('button', { name: 'Stay' }).click();
        await page.getByRole('button', { name: 'Undo' }).click();
        await page.getByRole('button', { name: 'Erase account' }).click();
        await expect(page.getByRole('dialog')).toBeVisible();
        await expectNoViolations(page, 'the last door');
        await page.keyboard.press('Escape');
        await expect(page.getByRole('button', { name: 'Erase account' })).toBeFocused();
      }
    });
  });
}

test('[2.104 D37] settings can be changed and saved with the keyboard alone', async ({ page }) => {
  await signIn(page, 'omar@caravan.example');
  await page.goto('/settings');
  await page.getByRole('switch', { name: 'Weekly reports' }).focus();
  const before = await page.getByRole('switch', { name: 'Weekly reports' }).getAttribute('aria-checked');
  await page.keyboard.press('Space');
  await expect(page.getByRole('switch', { name: 'Weekly reports' })).not.toHaveAttribute('aria-checked', before ?? '');
  const save = page.getByRole('button', { name: 'Save Changes' });
  for (let step = 0; step < 30 && !(await save.evaluate((button) => button === document.activeElement)); step += 1) {
    await page.keyboard.press('Tab');
    expect(await isFocusCovered(page), `step ${step} hides what has the focus`).toBe(false);
  }
  await page.keyboard.press('Enter');
  await expect(page.getByText('Settings Updated', { exact: true })).toBeVisible();
});

test('[2.68 D44] the timer can be run and logged with the keyboard alone', async ({ page }) => {
  await signIn(page, 'omar@caravan.example');
  await page.clock.install();
  await page.goto('/timer');
  await expect(page.getByRole('button', { name: 'Start', exact: true })).toBeVisible();
  await page.keyboard.press('Space');
  await expect(page.getByRole('button', { name: 'Pause' })).toBeVisible();
  await page.clock.fastForward('10:00');
  await page.keyboard.press('Space');
  await expect(page.getByRole('button', { name: 'Resume' })).toBeVisible();
  await page.getByRole('button', { name: 'Stop' }).focus();
  await page.keyboard.press('Enter');
  await page.getByLabel('Describe your workout').focus();
  await page.keyboard.type('With the keyboard alone');
  await page.getByRole('button', { name: 'Cancel' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('timer')).toHaveText('10:00');
});
