import { localDateOf } from '@caravan/contracts/domain/time/local-days';
import { noonZone } from '@caravan/contracts/testing/noon-zone';
import { expect, test } from '@playwright/test';
import { harbour } from '../api.ts';
import { Browser } from './browser.ts';
import { chooseCases } from '@caravan/contracts/testing/full';
import { engines, openEngine } from './engines.ts';
import { signInTo } from './session.ts';

/** Languages with digits and calendars of their own, and two whose dates were once taken for ISO 8601. */
const languages = chooseCases(['fa-IR', 'th-TH', 'en-CA', 'sv-SE'], ['fa-IR']);
/** WebKit takes its language from the locales of the machine, which has one. */
const languagesOf = (engine: string) => (engine === 'webkit' ? ['en-US'] : languages);

const today = (options: Intl.DateTimeFormatOptions): string =>
  new Intl.DateTimeFormat('en', { ...options, timeZone: noonZone() }).format(new Date());

for (const engine of engines)
  test(`[D10 D44 D9] the year and the ledger show the same dates whatever language the browser has, in ${engine}`, async ({
    request,
    baseURL,
  }) => {
    const address = baseURL ?? '';
    const { admin } = await harbour(request);
    const data = { activityType: 'Walking', durationMinutes: 45 };
    expect((await request.post('/api/log', { headers: admin.headers, data })).status()).toBe(200);
    const year = localDateOf(new Date(), noonZone()).slice(0, 4);
    for (const language of languagesOf(engine))
      await test.step(language, async () => {
        const driver = await openEngine(engine, language);
        try {
          const browser = new Browser(driver);
          expect(await signInTo(browser, address, admin)).toContain(language.slice(0, 2));
          await driver.go(`${address}/profile`);
          await browser.sees(`Your ${year}`);
          await browser.until(
            'the month in the year',
            (words: string) => document.body.textContent.includes(words),
            `${today({ month: 'long' })}: 4.5 miles`,
          );
          await driver.go(`${address}/miles`);
          await browser.sees(today({ dateStyle: 'full' }));
          expect(await driver.run(() => document.body.innerText)).not.toMatch(/NaN|undefined|Invalid Date/);
        } finally {
          await driver.quit();
        }
      });
  });
