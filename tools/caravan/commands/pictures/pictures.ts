import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { demoAdmin, demoPassword } from '@caravan/seed/people';
import { type Browser, chromium, type Page } from '@playwright/test';
import { pathOf, requireTools, tools } from '../../build/toolchain.ts';
import { type InstanceDir, root } from '../../process/paths.ts';
import { print, UserError } from '../../process/terminal.ts';
import { readRunFile } from '../../servers/instance-files.ts';
import { type Picture, pictures } from './list.ts';

const folder = join(root, 'docs/images');
const sizes = { phone: { width: 390, height: 844 }, desk: { width: 1280, height: 800 } };
const emails = { member: 'maya@caravan.example', admin: demoAdmin.email };
const quality = 75;

/** Takes the pictures of the documentation from the running demo. Fails when a page does not show a named control. */
export async function takePictures(
  instanceDir: InstanceDir,
  names: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const { url } = readRunFile(instanceDir);
  const wanted = pictures.filter(({ name }) => names.length === 0 || names.includes(name));
  const unknown = names.filter((name) => !pictures.some((picture) => picture.name === name));
  if (unknown.length > 0)
    throw new UserError(
      `No picture ${unknown.join(', ')}.`,
      `There are ${pictures.map(({ name }) => name).join(', ')}.`,
    );
  mkdirSync(folder, { recursive: true });
  await requireTools([tools.chromium], signal);
  const executablePath = pathOf(tools.chromium);
  const browser = await chromium.launch({ ...(executablePath && { executablePath }), args: ['--no-sandbox'] });
  try {
    for (const picture of wanted) await takePicture(browser, url, picture);
  } finally {
    await browser.close();
  }
}

async function takePicture(browser: Browser, url: string, picture: Picture): Promise<void> {
  const context = await browser.newContext({
    baseURL: url,
    viewport: sizes[picture.on],
    colorScheme: 'light',
    reducedMotion: 'reduce',
    locale: 'en-GB',
    // The policy of the product's pages refuses the question whether all images are there.
    bypassCSP: true,
  });
  const page = await context.newPage();
  await signIn(page, emails[picture.as]);
  await page.goto(picture.path);
  const missing = await missingIn(page, picture.shows);
  if (missing.length > 0)
    throw new UserError(`${picture.path} does not show ${missing.join(', ')}.`, 'Correct the guide and the list.');
  await page.getByText('Loading', { exact: true }).first().waitFor({ state: 'detached', timeout: longestWait });
  await page.waitForFunction(shownImagesAreThere);
  writeFileSync(join(folder, `${picture.name}.webp`), await shotOf(page));
  print(`${picture.name}.webp`);
  await context.close();
}

/** Chromium writes WebP itself; Playwright's own screenshots are PNG or JPEG. */
async function shotOf(page: Page): Promise<Buffer> {
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality });
  return Buffer.from(data, 'base64');
}

async function signIn(page: Page, email: string): Promise<void> {
  await page.goto('/login');
  await page.getByRole('button', { name: 'Continue with Email' }).click();
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(demoPassword);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await page.waitForURL(/\/dashboard$/);
}

const longestWait = 60_000;

/** Images below the fold load when somebody scrolls to them. */
const shownImagesAreThere =
  '[...document.images].every((image) => image.complete || image.getBoundingClientRect().top > innerHeight)';

/** The names that no visible text or label of the page is within a while. */
async function missingIn(page: Page, names: readonly string[]): Promise<string[]> {
  const seen = await Promise.all(
    names.map(async (name) => {
      const shown = page.getByText(name, { exact: true }).or(page.getByLabel(name, { exact: true }));
      try {
        await shown.filter({ visible: true }).first().waitFor({ timeout: longestWait });
        return true;
      } catch {
        return false;
      }
    }),
  );
  return names.filter((_, at) => seen[at] !== true);
}
