import { expect, type APIRequestContext } from '@playwright/test';
import { harbour, type Caller } from '../api.ts';
import { test } from '../journey.ts';
import { signIn } from '../people.ts';
import { glidesOf, stat, watchGlides } from '../screens.ts';

async function walk(request: APIRequestContext, { headers }: Caller, durationMinutes: number): Promise<void> {
  const answer = await request.post('/api/log', { headers, data: { activityType: 'Walking', durationMinutes } });
  expect(answer.status(), await answer.text()).toBe(200);
}

test('[1.10 2.59 2.66 4.16 4.17 4.19 4.29 7.10 8.14 9.4 D15 D35] a bonus challenge, from its card to the doubled miles', async ({
  page,
  request,
}) => {
  const { admin } = await harbour(request);
  await signIn(page, admin.email);
  const card = page.getByRole('region', { name: /^Bonus challenge/ });
  let minutes = 0;

  await test.step('its card appears without a reload, soon after the organisation was founded', async () => {
    await expect(card).toBeVisible({ timeout: 90_000 });
    await expect(card).toContainText(/Ends in \d+h \d+m/);
    const search = new URL((await card.getByRole('link').getAttribute('href')) ?? '', page.url()).searchParams;
    minutes = Number(search.get('duration'));
    expect(minutes).toBeGreaterThan(0);
    expect([search.get('preset'), Boolean(search.get('activity'))]).toEqual(['true', true]);
  });

  await test.step('its button starts the timer at once', async () => {
    await page.clock.install();
    await card.getByRole('link').click();
    await expect(page).toHaveURL(/\/timer\?.*bonusChallenge=/);
    await expect(page.getByRole('button', { name: 'Pause' })).toBeVisible();
    await page.clock.fastForward(minutes * 60_000);
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByLabel(/describe/i).fill('For the bonus');
    await page.getByRole('button', { name: 'Log Activity' }).click();
  });

  await test.step('the miles count double, and the card knows it', async () => {
    await expect(page.getByText('Bonus Challenge Complete!', { exact: true })).toBeVisible();
    await expect(page.getByText(/\(x2 BONUS BOOST!\)/).first()).toBeVisible();
    await expect(page).toHaveURL(/\/dashboard$/);
    await expect(stat(page, 'Total miles')).toContainText((minutes / 5).toFixed(1));
    await expect(card).toContainText('Completed!');
    await expect(card.getByRole('link')).toHaveCount(0);
  });
});

test('[1.9 2.61 4.20 4.21 4.22 7.11 7.12 7.13 8.14 D14 D35] a weekly challenge is reached, claimed and paid once', async ({
  page,
  request,
}) => {
  const { admin } = await harbour(request);
  await signIn(page, admin.email);
  const list = page.getByRole('region', { name: 'Weekly Challenges' });
  const row = list.getByRole('listitem').filter({ hasText: '5 miles' }).first();

  await test.step('a founded organisation has its week at once', async () => {
    await expect(row).toContainText('0.0 of 5 miles');
    await expect(list.getByRole('listitem').filter({ hasText: 'Team challenge' })).toHaveCount(1);
    await expect(list.getByRole('button', { name: 'Claim Bonus Miles!' })).toHaveCount(0);
  });

  await test.step('once it is reached, its bonus miles can be claimed without a reload', async () => {
    await walk(request, admin, 50);
    await expect(row.getByRole('button', { name: 'Claim Bonus Miles!' })).toBeVisible();
    await expect(stat(page, 'Total miles')).toContainText('5.0');
    await row.getByRole('button', { name: 'Claim Bonus Miles!' }).click();
    await expect(page.getByText('Challenge Completed! 🎉', { exact: true })).toBeVisible();
    await expect(page.getByText(/^You earned \+\d+(\.\d)? bonus miles!$/)).toBeVisible();
    await expect(row).toContainText('Challenge completed! Bonus miles awarded.');
    // The figure rolls up: only its last one counts.
    await expect(stat(page, 'Total miles')).toContainText('6.0');
  });

  await test.step('a second claim gives nothing more, and a reload keeps all of it', async () => {
    const weekly = await request.get('/api/weekly-challenges', { headers: admin.headers });
    for (const { id } of (await weekly.json()) as { id: string }[])
      await request.post(`/api/weekly-challenges/${id}/complete`, { headers: admin.headers });
    await page.reload();
    await expect(row).toContainText('Completed');
    await expect(stat(page, 'Total miles')).toContainText('6.0');
  });
});

test('[1.15 2.75 2.76 S18 D12 D35 D37] whoever overtakes glides up in every open scoreboard, and the focus stays', async ({
  page,
  browser,
  request,
}) => {
  const { admin, colleague } = await harbour(request);
  const still = await (await browser.newContext({ reducedMotion: 'reduce' })).newPage();
  await walk(request, admin, 20);
  await walk(request, colleague, 10);
  for (const [each, who] of [
    [page, admin],
    [still, colleague],
  ] as const) {
    await each.addInitScript(watchGlides);
    await signIn(each, who.email);
    await each.goto('/leaderboard');
    await expect(each.getByRole('region', { name: 'Top performers' }).getByRole('listitem')).toHaveCount(2);
  }
  const first = page.getByRole('region', { name: 'Top performers' }).getByRole('listitem').first();
  await expect(first).toContainText(admin.name);
  await expect(page.getByRole('region', { name: 'Your position' })).toContainText(`1.0 mi ahead of ${colleague.name}`);
  const link = page.getByRole('main').getByRole('link', { name: colleague.name });
  await link.focus();

  await walk(request, colleague, 30);

  await expect(first).toContainText(colleague.name);
  await expect(page.getByRole('region', { name: 'Your position' })).toContainText(`2.0 mi behind ${colleague.name}`);
  await expect(page.getByRole('region', { name: 'Keep going' })).toContainText('You are 2.0 miles behind first place.');
  await expect(link).toBeFocused();
  expect(await glidesOf(page)).toContain(colleague.id);

  // The stream carries it: nobody has to ask for what somebody else has done.
  const asked: string[] = [];
  page.on('request', (call) => {
    if (call.url().includes('/api/')) asked.push(`${call.method()} ${call.url()}`);
  });
  await walk(request, colleague, 10);
  await expect(page.getByRole('region', { name: 'Your position' })).toContainText(`3.0 mi behind ${colleague.name}`);
  expect(asked).toEqual([]);

  await expect(still.getByRole('region', { name: 'Your position' })).toContainText('#1');
  expect(await glidesOf(still)).toEqual([]);
  expect(await still.evaluate(() => document.getAnimations().length)).toBe(0);
  await still.context().close();
});
