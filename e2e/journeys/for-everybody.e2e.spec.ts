import AxeBuilder from '@axe-core/playwright';
import { expect, test } from '@playwright/test';
import { signIn } from '../people.ts';

const screens = ['/dashboard', '/leaderboard', '/timer', '/feed', '/explore', '/profile', '/settings', '/no-such-page'];
const openScreens = ['/login', '/signup', '/terms', '/privacy'];
const sizes = [
  { width: 390, height: 844 },
  { width: 1280, height: 800 },
];
const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(colorScheme, () => {
    test.use({ colorScheme, contextOptions: { reducedMotion: 'reduce' } });

    test('[D37] no screen shuts anybody out, on phones and on desks', async ({ page }) => {
      for (const path of openScreens) await expectAccessible(page, path);
      await signIn(page, 'maya@caravan.example');
      for (const path of screens) await expectAccessible(page, path);
    });
  });
}

async function expectAccessible(page: Parameters<typeof signIn>[0], path: string): Promise<void> {
  for (const size of sizes) {
    await page.setViewportSize(size);
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
    const { violations } = await new AxeBuilder({ page }).withTags(rules).analyze();
    const told = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
    expect(told, `${path} at ${size.width}`).toEqual([]);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(overflow, `${path} at ${size.width} scrolls sideways`).toBeLessThanOrEqual(0);
  }
}

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
