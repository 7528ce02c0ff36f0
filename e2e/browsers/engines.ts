import { test } from '@playwright/test';
import type { Driver } from './browser.ts';
import { Chromium } from './chromium.ts';
import { Firefox } from './firefox.ts';
import { WebKit } from './webkit.ts';

const phone = [390, 844] as const;

/** The launcher names the engines that are installed; alone, these tests ask for all three. */
export const engines = (process.env['CARAVAN_ENGINES'] ?? 'chromium,firefox,webkit').split(',');

/** As a phone shows it. @param language of the browser, such as `ar-EG` */
export function openEngine(engine: string, language = 'en-GB'): Promise<Driver> {
  if (engine === 'firefox') return Firefox.open(...phone, language);
  if (engine === 'webkit') return WebKit.open(...phone, language);
  return Chromium.open(...phone, language, test.info().project.use.launchOptions);
}
