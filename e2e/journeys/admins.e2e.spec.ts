import { expect, type Page } from '@playwright/test';
import { chosenSizes, expectAccessible, expectNoViolations, isFocusCovered } from '../accessible.ts';
import { harbour } from '../api.ts';
import { test } from '../journey.ts';
import { signIn } from '../people.ts';

const screens = ['/admin', '/admin/members', '/admin/teams', '/admin/invites', '/admin/analytics', '/company-setup'];

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

test.describe('in light and dark', () => {
  test.use({ contextOptions: { reducedMotion: 'reduce' } });

  test('[D37] the screens of admins and what opens on them shut nobody out', async ({ page }) => {
    const { admin, colleague } = await harbour(page.request);
    await signIn(page, admin.email);
    for (const path of screens) await expectAccessible(page, path);
    for (const size of chosenSizes) {
      await page.setViewportSize(size);
      for (const [path, what, open] of layers) {
        await page.goto(path);
        await open(page, colleague.name);
        await expectNoViolations(page, `${what} at ${size.width}`);
      }
    }
  });
});

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

test('[2.77 D3 D37] a small organization is told why it has no figures yet, and what to do', async ({ page }) => {
  const { admin } = await harbour(page.request);
  await signIn(page, admin.email);
  await page.goto('/admin');
  await page.getByRole('link', { name: /^Participation/ }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Participation' })).toBeFocused();
  await expect(page.getByText('Not enough people yet')).toBeVisible();
  await page.getByRole('link', { name: 'Invite people' }).click();
  await expect(page).toHaveURL(/\/admin\/invites$/);
});

test('[1.13 2.63 2.111 4.23 4.33 4.34 8.14 D3 D20 D35] a ballot from its opening to the renamed team', async ({
  page,
  browser,
  request,
}) => {
  const { admin, colleague } = await harbour(request);
  const other = await (await browser.newContext()).newPage();
  await signIn(page, admin.email);
  await signIn(other, colleague.email);
  const teamName = async () => {
    const answer = await request.get('/api/me', { headers: colleague.headers });
    return ((await answer.json()) as { team: { name: string } }).team.name;
  };
  const before = await teamName();
  let chosen = '';

  await test.step('once an admin opens it, an open dashboard of a member asks for the vote', async () => {
    await page.goto('/admin/ballots');
    await page.getByRole('button', { name: 'Open a ballot' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Open', exact: true }).click();
    await expect(page.getByText('2 ballots are open', { exact: true })).toBeVisible();
    const prompt = other.getByRole('region', { name: 'Your team is choosing its name' });
    await prompt.getByRole('link', { name: 'Vote now' }).click();
    await expect(other).toHaveURL(/\/team-voting$/);
  });

  await test.step('the votes show to who has voted, the turnout to the admin', async () => {
    const option = other.getByRole('radio').first();
    await expect(option).toBeVisible();
    await expect(other.getByRole('region', { name: 'Results' })).toHaveCount(0);
    chosen = (await option.getAttribute('value')) ?? '';
    await option.check();
    await other.getByRole('button', { name: 'Submit Vote' }).click();
    await expect(other.getByText('Vote submitted!', { exact: true })).toBeVisible();
    await expect(other.getByRole('region', { name: 'Results' })).toContainText('1 vote · 100%');
    await expect(page.getByText('1 of 1 have voted', { exact: true })).toBeVisible();
  });

  await test.step('closed, it names the team, and the open page says so', async () => {
    await page.getByRole('button', { name: `Close the ballot of ${before}` }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Close now' }).click();
    await expect(other.getByRole('region', { name: `Your team is now called ${chosen}` })).toBeVisible();
    await expect.poll(teamName).toBe(chosen);
    await other.goto('/dashboard');
    await expect(other.getByRole('region', { name: 'Your team is choosing its name' })).toHaveCount(0);
  });
  await other.context().close();
});
