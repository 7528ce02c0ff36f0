import { noonZone } from '@caravan/contracts/testing/noon-zone';
import { defineConfig } from '@playwright/test';

const chromium = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';
/** In a full run, and where it is not installed, all journeys take the whole Chromium. */
const headlessShell = process.env['CARAVAN_HEADLESS_SHELL'] ?? chromium;
/** Those in several engines, and the one of notifications, of which the headless shell shows none. */
const inWholeChromium = ['**/browsers/*.e2e.spec.ts', '**/told.e2e.spec.ts'];

const launchOptions = {
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    // A camera that films a moving disc, and is allowed.
    '--use-fake-device-for-media-stream',
    '--use-fake-ui-for-media-stream',
  ],
};

const baseURL = process.env['CARAVAN_URL'] ?? 'http://127.0.0.1:8080';

export default defineConfig({
  testDir: '.',
  testMatch: '**/*.e2e.spec.ts',
  outputDir: '../.caravan/test/journeys',
  // Two files at once keep two cores busy: each has people and organisations of its own, or only reads the demo.
  workers: 2,
  timeout: 180_000,
  expect: { timeout: 15_000 },
  use: {
    baseURL,
    headless: true,
    viewport: { width: 1280, height: 800 },
    locale: 'en-GB',
    timezoneId: noonZone(),
    // Without a film of each page, which takes a third of the work.
    trace: { mode: 'retain-on-failure', screenshots: false },
    screenshot: 'only-on-failure',
  },
  projects: [
    {
      name: 'whole-chromium',
      testMatch: inWholeChromium,
      use: { launchOptions: Object.assign({ executablePath: chromium }, launchOptions) },
    },
    {
      name: 'journeys',
      testIgnore: inWholeChromium,
      use: { launchOptions: Object.assign({ executablePath: headlessShell }, launchOptions) },
    },
  ],
});
