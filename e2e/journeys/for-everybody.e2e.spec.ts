import { expect } from '@playwright/test';
import { chosenSizes, expectAccessible, expectNoViolations, isFocusCovered, sizes } from '../accessible.ts';
import { harbour } from '../api.ts';
import { test } from '../journey.ts';
import { signIn } from '../people.ts';

const screens = [
  '/dashboard',
  '/leaderboard',
  '/timer',
  '/miles',
  '/feed',
  '/activity-feed',
  '/explore',
  '/badges',
  '/journey',
  '/profile',
  '/settings',
  '/notifications',
  '/settings/notifications',
  '/settings/workouts',
  '/account-settings',
  '/user/nobody',
  '/team-voting',
  '/recaps',
  '/recaps/2026-01-05',
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

/** What is asked before a device is connected. */
const devices = { 'Connect Strava': 'the question before Strava', 'Connect Apple Watch': 'the app of the watch' };

// A notice that fades in while colours are looked at has none of its own.
test.use({ contextOptions: { reducedMotion: 'reduce' } });

test.describe('in light and dark', () => {
  test('[D37] no screen before the sign-in shuts anybody out, on phones and on desks', async ({
    page,
    expectRefusal,
  }) => {
    // Nobody has that invite.
    expectRefusal(404, /^\/api\/invitations$/);
    for (const path of openScreens) await expectAccessible(page, path);
  });

  test('[D37] no screen of members shuts anybody out, on phones and on desks', async ({ page, expectRefusal }) => {
    // Nobody has that profile, and that week no recap.
    expectRefusal(404, /^\/api\/users\/nobody$/);
    expectRefusal(404, /^\/api\/recaps\/2026-01-05$/);
    await signIn(page, 'maya@caravan.example');
    for (const path of screens) await expectAccessible(page, path);
  });

  test('[2.68 2.70 D6 D7 D8 D37] neither do a running timer, its log, or what changes a log', async ({ page }) => {
    await signIn(page, 'maya@caravan.example');
    await page.clock.install();
    await page.goto('/timer?preset=true&duration=10&activity=Walking&bonusChallenge=nobody-knows-it');
    for (const size of chosenSizes) {
      await page.setViewportSize(size);
      await expect(page.getByText('Bonus challenge: miles count double')).toBeVisible();
      await expectNoViolations(page, 'a running timer with a bonus');
      await page.goto('/feed');
      await expect(page.getByRole('navigation', { name: 'Running timer' })).toBeVisible();
      await expectNoViolations(page, 'a timer that runs elsewhere');
      await page.getByRole('link', { name: 'Back to the timer' }).click();
      await page.clock.fastForward('02:00:00');
      await expect(page.getByRole('dialog')).toBeVisible();
      await expectNoViolations(page, 'the question of a forgotten timer');
      await page.getByRole('button', { name: /^Yes, keep/ }).click();
      await page.getByRole('button', { name: 'More' }).click();
      await expectNoViolations(page, 'the list of activities');
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Stop' }).click();
      await expectNoViolations(page, 'the log of a timer');
      await page.getByRole('button', { name: 'Cancel' }).click();
      await page.getByRole('button', { name: 'Resume' }).click();
    }
    await page.evaluate(() => {
      for (const key of Object.keys(localStorage)) if (key.startsWith('caravan:timer')) localStorage.removeItem(key);
    });
    for (const size of chosenSizes) {
      await page.setViewportSize(size);
      await page.goto('/timer');
      await page.getByRole('button', { name: 'Log manually' }).click();
      await page.getByLabel('Minutes').fill('9');
      await expectNoViolations(page, 'a log by hand, refused');
      await page.goto('/profile');
      await page
        .getByRole('button', { name: /^Correct / })
        .first()
        .click();
      await expectNoViolations(page, 'the correction of a log');
      await page.keyboard.press('Escape');
      await page
        .getByRole('button', { name: /^Delete / })
        .first()
        .click();
      await expectNoViolations(page, 'the question before a log is deleted');
      await page.keyboard.press('Escape');
    }
  });

  test('[2.95 D14 D33 D37] neither do badges, postcards, or what admins write', async ({ page }) => {
    await signIn(page, 'admin@caravan.example');
    for (const size of sizes) {
      await page.setViewportSize(size);
      await page.goto('/badges');
      await page.getByRole('button', { name: /^First Steps/ }).click();
      await expect(page.getByRole('dialog')).toBeVisible();
      await expectNoViolations(page, 'a badge');
      await page.goto('/journey');
      await page.getByRole('region', { name: 'Postcards' }).getByRole('button').first().click();
      await expect(page.getByRole('dialog')).toBeVisible();
      await expectNoViolations(page, 'a postcard');
      await expectAccessible(page, '/admin/journey');
      await page.getByLabel('Route').selectOption({ index: 0 });
      await expect(page.getByRole('region', { name: 'Preview' })).toBeVisible();
      await expectNoViolations(page, 'a route before it is chosen');
      await expectAccessible(page, '/admin/challenges');
      await page.getByRole('button', { name: 'New challenge' }).click();
      await expectNoViolations(page, 'the form of a challenge');
    }
  });

  test('[2.102 2.104 D37] neither do profiles, their lists and forms, or what asks before it is too late', async ({
    page,
  }) => {
    await signIn(page, 'maya@caravan.example');
    for (const size of chosenSizes) {
      await page.setViewportSize(size);
      await page.goto('/leaderboard');
      await page.getByRole('main').locator('a[href^="/user/"]').first().click();
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
      for (const [row, what] of Object.entries(devices)) {
        await page.getByRole('button', { name: row }).click();
        await expect(page.getByRole('dialog')).toBeVisible();
        await expectNoViolations(page, what);
        await page.keyboard.press('Escape');
      }
      await page.getByRole('button', { name: 'Erase account' }).click();
      await expect(page.getByRole('dialog')).toBeVisible();
      await expectNoViolations(page, 'the last question before an account is erased');
      await page.keyboard.press('Escape');
      await expect(page.getByRole('button', { name: 'Erase account' })).toBeFocused();
    }
  });

  test('[2.61 2.75 4.22 D37] neither do boards by week and by team, or a challenge before and after its claim', async ({
    page,
    request,
  }) => {
    const { admin } = await harbour(request);
    const data = { activityType: 'Walking', durationMinutes: 50 };
    await request.post('/api/log', { headers: admin.headers, data });
    await signIn(page, admin.email);
    const claim = page.getByRole('button', { name: 'Claim Bonus Miles!' });
    await expect(claim).toBeVisible();
    await expectNoViolations(page, 'a challenge that can be claimed');
    await claim.click();
    const done = page.getByText('Challenge completed! Bonus miles awarded.', { exact: true });
    await expect(done).toBeFocused();
    await expectNoViolations(page, 'a challenge that was just completed');
    for (const size of sizes) {
      await page.setViewportSize(size);
      await page.goto('/leaderboard');
      await page.getByRole('radio', { name: 'This week' }).click();
      await expectNoViolations(page, 'the miles of the week');
      await page.getByRole('tab', { name: 'Teams' }).click();
      await expect(page.getByRole('region', { name: 'Teams' })).toBeVisible();
      await expectNoViolations(page, 'the board of teams');
    }
  });
});

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

test('[2.75 D37] on a phone one’s place stays in sight and never covers what has the focus', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await signIn(page, 'maya@caravan.example');
  await page.goto('/leaderboard');
  const names = page.getByRole('region', { name: 'Everyone else' }).getByRole('link');
  await names.first().focus();
  for (let step = 0; step < 12; step += 1) {
    expect(await isFocusCovered(page), `step ${step} hides what has the focus`).toBe(false);
    await page.keyboard.press('Tab');
  }
  const pinned = page.getByRole('button', { name: /^Your position/ });
  await expect(pinned).toBeVisible();
  await expectNoViolations(page, 'the own place below the board');
  // With the keyboard: a notice may lie above it for a moment, and stays while the pointer is on it.
  await pinned.press('Enter');
  await expect(page.getByRole('region', { name: 'Your position' })).toBeInViewport();
  await expect(pinned).toHaveCount(0);
});
