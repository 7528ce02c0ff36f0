import { writeFileSync } from 'node:fs';
import { randomUUID } from '@caravan/contracts/testing/seeded';
import { expect, test } from '@playwright/test';
import { harbour } from '../api.ts';
import { password, stranger } from '../people.ts';
import { Browser } from './browser.ts';
import { engines, openEngine } from './engines.ts';

async function expectNoOverflow({ driver }: Browser): Promise<void> {
  const [page, window] = await driver.run(() => [
    document.documentElement.scrollWidth,
    document.documentElement.clientWidth,
  ]);
  expect(page).toBeLessThanOrEqual(window);
}

/** A photo that the page itself draws and encodes. */
async function photoFile({ driver }: Browser): Promise<string> {
  const bytes = await driver.run(() => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 1600, height: 1200 });
    canvas.getContext('2d')?.fillRect(0, 0, 800, 1200);
    return canvas.toDataURL('image/jpeg', 0.9).split(',')[1] ?? '';
  });
  const file = test.info().outputPath('lake.jpg');
  writeFileSync(file, Buffer.from(bytes, 'base64'));
  return file;
}

async function signUpAndOnboard(browser: Browser, baseURL: string, invite: string): Promise<void> {
  const { name, email } = stranger('Nadia Petrova');
  await browser.driver.go(`${baseURL}/signup?invite=${invite}`);
  await browser.type('Full name', name);
  await browser.type('Email', email);
  await browser.type('Password', password);
  await browser.sees('Strong');
  await browser.click('button', 'Create Account');
  await browser.click('button', 'Continue');
  await browser.sees('10 minutes = 1 mile');
  await browser.click('button', 'Continue');
  await browser.click('radio', 'I work out regularly');
  await browser.click('button', 'Continue');
  await browser.click('button', 'Get Started');
  await browser.sees("Let's go, Nadia");
  await expectNoOverflow(browser);
}

async function logWithPhoto(browser: Browser, baseURL: string): Promise<void> {
  const file = await photoFile(browser);
  const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
  const chooser = 'input[name="files[]"]:not([webkitdirectory])';
  await browser.driver.go(`${baseURL}/timer`);
  await browser.click('button', 'Log manually');
  await browser.set('Minutes', '45');
  await browser.set('Started', `${yesterday}T08:30`);
  await browser.click('button', 'Add a photo');
  await browser.until('the photo panel', (selector: string) => document.querySelector(selector) !== null, chooser);
  await browser.driver.setFiles(chooser, file);
  await browser.click('button', 'Upload 1 file');
  await browser.until('the photo panel to close', () => document.querySelector('[role=dialog]') === null);
  await browser.type('Describe', 'To the market and back');
  await browser.click('button', 'Log Activity');
  await browser.sees('4.5 miles for your team');
}

async function seeFeed(browser: Browser, baseURL: string): Promise<void> {
  await browser.driver.go(`${baseURL}/feed`);
  await browser.sees('To the market and back');
  await browser.until('the photo', () =>
    [...document.querySelectorAll<HTMLImageElement>('article img')].some((image) => image.naturalWidth > 0),
  );
  await expectNoOverflow(browser);
}

async function seeProfile(browser: Browser, baseURL: string): Promise<void> {
  await browser.driver.go(`${baseURL}/profile`);
  await browser.sees('from your logs');
  // The last part of the page to come; what is pressed below it would move meanwhile.
  await browser.sees('followers');
  const words = await browser.driver.run(() => document.querySelector('main')?.innerText ?? '');
  expect(words).not.toMatch(/NaN|undefined|Invalid Date/);
  await expectNoOverflow(browser);
}

for (const engine of engines)
  test(`[1.6 2.7 2.58 2.70 4.25 9.5 D35 D37] a member signs up, logs, follows the feed and signs out in ${engine}`, async ({
    request,
    baseURL,
  }) => {
    const address = baseURL ?? '';
    const { admin } = await harbour(request);
    const invite = await request.post('/api/invites', { headers: admin.headers, data: {} });
    const { code } = (await invite.json()) as { code: string };
    const driver = await openEngine(engine);
    try {
      const browser = new Browser(driver);
      await signUpAndOnboard(browser, address, code);
      await logWithPhoto(browser, address);
      await seeFeed(browser, address);
      const caption = `Up the hill, ${randomUUID().slice(0, 8)}`;
      const hike = { activityType: 'Hiking', durationMinutes: 60, photoPrompt: caption };
      const logged = await request.post('/api/log', { headers: admin.headers, data: hike });
      expect(logged.status()).toBe(200);
      await browser.sees(caption);
      await seeProfile(browser, address);
      await browser.click('button', 'Logout');
      await browser.until(
        'the login screen',
        () => location.pathname === '/login' && localStorage.getItem('token') === null,
      );
      expect(driver.problems.filter((problem) => !/status of 404|favicon/.test(problem))).toEqual([]);
    } catch (error) {
      const picture = await driver.picture().catch(() => '');
      await test.info().attach(engine, { body: Buffer.from(picture, 'base64'), contentType: 'image/png' });
      throw error;
    } finally {
      await driver.quit();
    }
  });
