import { expect, test } from '@playwright/test';
import { harbour } from '../api.ts';
import { Between } from './between.ts';
import { Browser } from './browser.ts';
import { engines, openEngine } from './engines.ts';
import { signInTo } from './session.ts';

const notice = 'This browser is too old for Caravan.';

/** Scripts that make a browser answer about `light-dark()` as one older than the supported browsers does. */
const oldBrowsers = {
  'that knows no light-dark()': `const knows = CSS.supports.bind(CSS);
    CSS.supports = (...asked) => !asked.join(' ').includes('light-dark') && knows(...asked);`,
  'that has no CSS.supports': 'delete window.CSS;',
};

for (const engine of engines) {
  for (const [what, script] of Object.entries(oldBrowsers))
    test(`[D36] a browser ${what} shows a notice in place of the app in ${engine}`, async ({ baseURL }) => {
      const between = await Between.open(baseURL ?? '', script);
      const driver = await openEngine(engine);
      try {
        const browser = new Browser(driver);
        await driver.go(`${between.url}/login`);
        await browser.sees(notice);
        expect(await driver.run(() => document.body.innerText.trim())).toMatch(
          /^This browser is too old .* or newer\.$/,
        );
        expect(await driver.run(() => document.getElementById('root'))).toBeNull();
      } finally {
        await driver.quit();
        await between.close();
      }
    });

  test(`[D36] a page that is left while its parts load does not come back in ${engine}`, async ({
    request,
    baseURL,
  }) => {
    const { admin } = await harbour(request);
    const between = await Between.open(baseURL ?? '');
    const driver = await openEngine(engine);
    try {
      const browser = new Browser(driver);
      await signInTo(browser, between.url, admin);
      // The parts of the screen alone: those of the page itself are in the browser's cache by now.
      between.keepBack((path) => /^\/assets\/.*[.]js$/.test(path));
      await driver.run(() => void setTimeout(() => location.assign('/leaderboard')));
      await expect.poll(() => between.kept.length, { timeout: 30_000 }).toBeGreaterThan(0);
      await driver.run(() => void setTimeout(() => location.assign('/settings')));
      await expect.poll(() => between.pages).toContain('/settings');
      between.letGo();
      // A browser that is asked while it replaces a page may never answer.
      await expect.poll(() => between.requests, { timeout: 30_000 }).toContain('/api/me/settings');
      await browser.sees('Time zone');
      expect(between.pages).toEqual(['/privacy', '/leaderboard', '/settings']);
      expect(await driver.run(() => location.pathname)).toBe('/settings');
    } finally {
      await driver.quit();
      await between.close();
    }
  });
}
