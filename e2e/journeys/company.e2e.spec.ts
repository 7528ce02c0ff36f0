import { expect, type Page } from '@playwright/test';
import { harbour } from '../api.ts';
import { test } from '../journey.ts';
import { signIn } from '../people.ts';

/** 8 by 8 pixels of green. */
const logo = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAEUlEQVR4nGMQbbDFihiGlgQAefQ0gddbrysAAAAASUVORK5CYII=',
  'base64',
);

const brandOf = (page: Page) =>
  page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--brand'));

/** The colour that is really painted behind a label. */
const paintOf = (page: Page, button: string) =>
  page.getByRole('button', { name: button }).evaluate((element) => getComputedStyle(element).backgroundColor);

test('[2.109 2.110 4.11 5.17 7.32 8.14 D35] completing the set-up changes colour, logo and name at once, for colleagues too', async ({
  page,
  browser,
}) => {
  const { admin, colleague } = await harbour(page.request);
  const other = await browser.newContext({ colorScheme: 'light', viewport: { width: 1280, height: 800 } });
  const theirs = await other.newPage();
  await signIn(theirs, colleague.email);
  expect(await brandOf(theirs)).toContain('#ea580c');
  await expect(theirs.getByRole('banner').getByText('Caravan')).toBeVisible();

  await test.step('the admin fills in the wizard; a fourth trait drops the oldest', async () => {
    await signIn(page, admin.email);
    await page.goto('/admin');
    await page.getByRole('link', { name: 'Company Setup' }).click();
    await page.getByLabel('Company name').fill('Harbour & Sons');
    await page.getByLabel('Employees').selectOption('51-100');
    for (const trait of ['Bold', 'Playful', 'Innovative', 'Professional'])
      await page.getByRole('button', { name: trait }).click();
    await expect(page.getByRole('button', { name: 'Bold' })).toHaveAttribute('aria-pressed', 'false');
    await page.getByLabel('Logo').setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: logo });
    await expect(page.getByRole('img', { name: 'Your logo' })).toBeVisible();
    await page.getByLabel('Time zone').selectOption('Asia/Tokyo');
    await expect(page.getByText(/^From Monday, .* Until then the time zone is /)).toBeVisible();
    await page.getByRole('radio', { name: 'Forest' }).check();
    await page.getByRole('button', { name: 'Complete Setup' }).click();
    await expect(page.getByText('Company setup complete!', { exact: true })).toBeVisible();
    await expect(page).toHaveURL(/\/dashboard$/);
  });

  await test.step('the product wears it, really painted, and keeps it over a reload', async () => {
    for (const look of [page, theirs]) {
      await expect(look.getByRole('banner').getByRole('img', { name: 'Harbour & Sons' })).toBeVisible();
      await expect.poll(() => brandOf(look)).toContain('#15803d');
      await expect.poll(() => paintOf(look, 'Start the timer')).toBe('rgb(21, 128, 61)');
    }
    await theirs.reload();
    await expect(theirs.getByRole('banner').getByRole('img', { name: 'Harbour & Sons' })).toBeVisible();
    expect(await brandOf(theirs)).toContain('#15803d');
  });

  await test.step('the time zone that is to come stands in the wizard until its Monday', async () => {
    await page.goto('/company-setup');
    await expect(page.getByLabel('Time zone')).toHaveValue('Asia/Tokyo');
    await expect(page.getByText(/^From Monday, .* Until then the time zone is /)).toBeVisible();
  });

  await test.step('a member is led home from the wizard', async () => {
    await theirs.goto('/company-setup');
    await expect(theirs.getByRole('heading', { level: 1 })).toContainText("Let's go");
  });
  await other.close();
});

test('[D2 D3 D35 D43] who is moved to another team sees it on an open dashboard', async ({
  page,
  browser,
  expectRefusal,
}) => {
  const { admin, colleague } = await harbour(page.request);
  const other = await browser.newContext();
  const theirs = await other.newPage();
  await signIn(theirs, colleague.email);
  const ownTeam = theirs
    .getByRole('region', { name: 'Team Progress' })
    .getByRole('listitem')
    .filter({ hasText: 'your team' });
  await expect(ownTeam).toContainText('Blazers');

  await signIn(page, admin.email);
  await page.goto('/admin/members');
  await page.getByRole('searchbox').fill(colleague.email);
  await expect(page.getByRole('row')).toHaveCount(2);
  await page.getByRole('button', { name: colleague.name }).click();
  await page.getByRole('dialog').getByLabel('Team').selectOption({ label: '⚡ Thunder' });
  await expect(page.getByText(`${colleague.name} is now in Thunder`, { exact: true })).toBeVisible();
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  await expect(page.getByRole('row', { name: colleague.name })).toContainText('Thunder');
  await expect(ownTeam).toContainText('Thunder');

  await test.step('the last admin cannot give the role away, and is told so', async () => {
    expectRefusal(422, /^\/api\/members\//);
    await page.getByRole('searchbox').fill(admin.email);
    await expect(page.getByRole('row', { name: admin.email })).toBeVisible();
    await page.getByRole('button', { name: admin.name }).click();
    await page.getByRole('dialog').getByRole('radio', { name: 'Member' }).click();
    await expect(page.getByText(`${admin.name} was not changed`, { exact: true })).toBeVisible();
    await expect(page.getByRole('dialog').getByRole('radio', { name: 'Admin' })).toBeChecked();
  });
  await other.close();
});
