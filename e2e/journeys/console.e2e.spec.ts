import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { test } from '../journey.ts';
import { signIn } from '../people.ts';

/** Every address that the web app knows, as its router lists them. */
function addresses(): string[] {
  const tree = readFileSync(resolve(import.meta.dirname, '../../web/src/route-tree.gen.ts'), 'utf8');
  const [, listed = ''] = /fullPaths:((?:\s*\| '[^']+')+)/.exec(tree) ?? [];
  return [...listed.matchAll(/'([^']+)'/g)].map(([, path = '']) =>
    path.replace('$id', 'nobody').replace('$week', '2020-01-06'),
  );
}

async function openAll(page: Page): Promise<void> {
  for (const path of addresses()) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
  }
}

test('[S11 S36] no screen puts an error into the console, for whom is signed out and for an admin', async ({
  page,
  expectRefusal,
}) => {
  expect(addresses().length).toBeGreaterThan(20);
  // Nobody has that profile or that entry, and that week no recap.
  expectRefusal(404, /^\/api\/users\/nobody/);
  expectRefusal(404, /^\/api\/feed\/entries\/nobody/);
  expectRefusal(404, /^\/api\/recaps\/2020-01-06$/);
  await openAll(page);
  // Else the login would lead to the last address that was opened without a session.
  await page.goto('/signup');
  await signIn(page, 'admin@caravan.example');
  await openAll(page);
});

test.describe('a journey fails', () => {
  test.fail();

  test('on an error in the console', async ({ page }) => {
    await page.goto('/login');
    await page.evaluate(() => console.error('Something is wrong.'));
  });

  test('on an error that nobody catches', async ({ page }) => {
    await page.goto('/login');
    await page.evaluate(
      () =>
        void setTimeout(() => {
          throw new Error('Nobody catches this.');
        }),
    );
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  });

  test('on a refusal that it does not expect, in any of its windows', async ({ browser }) => {
    const page = await browser.newPage();
    await page.goto('/login');
    await page.evaluate(() => fetch('/api/me'));
    await page.close();
  });
});
