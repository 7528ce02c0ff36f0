import { expect, type Page } from '@playwright/test';
import { expectAccessible, expectNoViolations, isFocusCovered, sizes } from '../accessible.ts';
import { harbour } from '../api.ts';
import { test } from '../journey.ts';
import { signIn } from '../people.ts';

const screens = ['/admin', '/admin/members', '/admin/teams', '/admin/invites', '/company-setup'];

/** Opens what an admin's screens ask in layers, one after the other. */
const layers: [path: string, what: string, open: (page: Page, name: string) => Promise<void>][] = [
  ['/admin/members', 'a member', (page, name) => page.getByRole('button', { name }).click()],
  ['/admin/members', 'the selection', (page, name) => page.getByLabel(`Select ${name}`).first().check()],
  [
    '/admin/members?q=nobody-of-that-name',
    'nobody found',
    (page) => expect(page.getByText('Nobody fits')).toBeVisible(),
  ],
  ['/admin/teams', 'the form of a team', (page) => page.getByRole('button', { name: 'New team' }).click()],
  ['/admin/invites', 'the form of an invite', (page) => page.getByRole('button', { name: 'New invite' }).click()],
  ['/admin/invites', 'an invite to share', (page) => page.getByRole('button', { name: /^Share/ }).click()],
  ['/admin/invites', 'the question before revoking', (page) => page.getByRole('button', { name: /^Revoke/ }).click()],
  ['/company-setup', 'a set-up refused', (page) => page.getByRole('button', { name: 'Complete Setup' }).click()],
];

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(colorScheme, () => {
    test.use({ colorScheme, contextOptions: { reducedMotion: 'reduce' } });

    test('[D37] the screens of admins and what opens on them shut nobody out', async ({ page }) => {
      const { admin, colleague } = await harbour(page.request);
      await signIn(page, admin.email);
      for (const path of screens) await expectAccessible(page, path);
      for (const size of sizes) {
        await page.setViewportSize(size);
        for (const [path, what, open] of layers) {
          await page.goto(path);
          await open(page, colleague.name);
          await expectNoViolations(page, `${what} at ${size.width}`);
        }
      }
    });
  });
}

test('[2.109 D37] the set-up can be filled in and completed with the keyboard alone', async ({ page }) => {
  const { admin } = await harbour(page.request);
  await signIn(page, admin.email);
  await page.goto('/company-setup');
  await page.getByLabel('Company name').focus();
  await page.keyboard.press('Tab');
  await page.keyboard.type('26');
  for (const trait of ['Bold', 'Innovative']) {
    await page.getByRole('button', { name: trait }).focus();
    await page.keyboard.press('Space');
  }
  await page.getByRole('radio', { name: 'Sunrise' }).focus();
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('radio', { name: 'Ocean' })).toBeChecked();
  await page.getByLabel('Company name').focus();
  const complete = page.getByRole('button', { name: 'Complete Setup' });
  for (
    let step = 0;
    step < 20 && !(await complete.evaluate((button) => button === document.activeElement));
    step += 1
  ) {
    await page.keyboard.press('Tab');
    expect(await isFocusCovered(page), `step ${step} hides what has the focus`).toBe(false);
  }
  await page.keyboard.press('Enter');
  await expect(page.getByText('Company setup complete!', { exact: true })).toBeVisible();
});
