import { randomUUID } from '@caravan/contracts/testing/seeded';
import { expect, type Page } from '@playwright/test';
import { harbour } from '../api.ts';
import { test } from '../journey.ts';
import { signIn } from '../people.ts';
import { glidesOf, stat, watchGlides } from '../screens.ts';

/** Beside what is skipped the driven clock runs on, as fast as the machine is slow. */
async function secondsShown(page: Page): Promise<number> {
  const [seconds = 0, minutes = 0, hours = 0] = (await page.getByRole('timer').innerText())
    .split(':')
    .map(Number)
    .reverse();
  return (hours * 60 + minutes) * 60 + seconds;
}

const board = (page: Page) => page.getByRole('tabpanel');

test('[2.64 2.66 2.106 4.24 4.26 5.8 7.16 9.9 D6] a run survives reloads, pauses and other screens, and is logged by its minutes', async ({
  page,
  request,
}) => {
  const { admin } = await harbour(request);
  await signIn(page, admin.email);
  await page.clock.install();

  await test.step('under a minute there is nothing to log', async () => {
    await page.goto('/timer');
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    // The driven clock runs on meanwhile: a slow machine must not make a minute of it.
    await page.clock.fastForward('00:35');
    await page.getByRole('button', { name: 'Stop' }).click();
    await expect(page.getByText('Activity must be at least 1 minute to log.', { exact: true })).toBeVisible();
    await expect(page.getByRole('timer')).toHaveText('0:00');
  });

  await test.step('a workout of Explore starts at once; the run stays in sight elsewhere', async () => {
    await page.goto('/explore');
    await page.getByRole('link', { name: 'Start 30-min bike ride' }).click();
    await expect(page.getByRole('button', { name: 'Pause' })).toBeVisible();
    await page.clock.fastForward('12:30');
    await expect(page.getByText(/^Next mile in 4\d\d seconds$/)).toBeVisible();
    await page.goto('/feed');
    await page.clock.fastForward('05:00');
    await expect(page.getByRole('navigation', { name: 'Running timer' })).toContainText(/1[78]:\d\d/);
  });

  await test.step('neither a reload nor a pause costs a second', async () => {
    await page.getByRole('link', { name: 'Back to the timer' }).click();
    await page.getByRole('button', { name: 'Pause' }).click();
    await expect(page.getByText('Paused', { exact: true })).toBeVisible();
    const paused = await secondsShown(page);
    expect(paused).toBeGreaterThanOrEqual(17.5 * 60);
    await page.clock.fastForward('45:00');
    await page.reload();
    await expect(page.getByRole('button', { name: 'Resume' })).toBeVisible();
    expect(await secondsShown(page)).toBe(paused);
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.clock.fastForward('15:00');
    await page.reload();
    await expect(page.getByRole('button', { name: 'Pause' })).toBeVisible();
    const gone = await secondsShown(page);
    expect(gone).toBeGreaterThanOrEqual(paused + 900);
    expect(gone).toBeLessThan(paused + 1500);
    await expect(page.getByRole('button', { name: /Biking/, pressed: true })).toBeVisible();
  });

  await test.step('an activity of one’s own is logged by whole minutes, and offered the next time', async () => {
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByLabel('Something else').fill('Unicycling');
    await page.getByRole('button', { name: 'Use it' }).click();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByLabel('Describe your workout').fill('On one wheel');
    const figure = (name: string) => page.locator('dt', { hasText: name }).locator('+ dd').innerText();
    const duration = await figure('Duration');
    const miles = await figure('Miles earned');
    expect(miles).toBe((Number(duration.split(':')[0]) / 10).toFixed(1));
    await page.getByRole('button', { name: 'Log Activity' }).click();
    await expect(page.getByText(`Great job! You earned ${miles} miles for your team`, { exact: true })).toBeVisible();
    await expect(stat(page, 'Total miles')).toContainText(miles);
    await page.goto('/timer');
    await expect(page.getByRole('button', { name: 'Unicycling' })).toBeVisible();
  });

  await test.step('a forgotten timer asks, and is cut back to the last sign of life', async () => {
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await page.clock.fastForward('25:00');
    await page.keyboard.press('Shift');
    await page.clock.fastForward('02:00:00');
    await expect(page.getByRole('dialog', { name: 'Are you still moving?' })).toBeVisible();
    await page.getByRole('button', { name: /cut it back to 2\d min/ }).click();
    await expect(page.getByRole('timer')).toHaveText(/^2\d:\d\d$/);
    await expect(page.getByRole('button', { name: 'Resume' })).toBeVisible();
  });

  await test.step('what is typed survives a reload of the log form', async () => {
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByLabel('Describe your workout').fill('Down to the harbour and');
    await page.reload();
    await expect(page.getByLabel('Describe your workout')).toHaveValue('Down to the harbour and');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await expect(page.getByRole('timer')).toHaveText(/^2\d:\d\d$/);
  });
});

test('[1.6 2.7 2.58 2.68 2.70 2.74 4.25 4.37 8.14 9.5 9.19 D13 D35] from the timer to the goal, the badge and the top of the board', async ({
  page,
  browser,
  request,
}) => {
  const { admin, colleague } = await harbour(request);
  for (const [who, durationMinutes] of [
    [admin, 10],
    [colleague, 20],
  ] as const)
    await request.post('/api/log', { headers: who.headers, data: { activityType: 'Walking', durationMinutes } });
  const other = await (await browser.newContext()).newPage();
  await other.addInitScript(watchGlides);
  await signIn(other, colleague.email);
  await other.goto('/leaderboard');
  const places = other.getByRole('region', { name: 'Top performers' }).getByRole('listitem');
  await expect(places.first()).toContainText(colleague.name);
  await expect(places).toHaveCount(2);

  await test.step('an hour and a half on the timer, logged', async () => {
    await signIn(page, admin.email);
    await expect(page.getByText('4.0 miles to go this week')).toBeVisible();
    await page.clock.install();
    await page.goto('/timer');
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await page.clock.fastForward('01:30:00');
    await page.getByRole('button', { name: 'Stop' }).click();
    // A badge of this minute must not look an hour old.
    await page.clock.setSystemTime(Date.now());
    await page.getByLabel('Describe your workout').fill('All around the bay');
    await page.getByRole('button', { name: 'Log Activity' }).click();
    await expect(page.getByText(/^Great job! You earned 9\.\d miles for your team$/)).toBeVisible();
  });

  await test.step('the week’s goal is reached, and the badge is told of', async () => {
    await expect(page).toHaveURL(/\/dashboard$/);
    await expect(page.getByText('Congratulations! You reached your weekly goal.', { exact: true })).toBeVisible();
    await expect(stat(page, 'Rank')).toContainText('#1');
    await expect(page.getByText('You earned the Ten Miler badge!', { exact: true })).toBeVisible({ timeout: 40_000 });
  });

  await test.step('in the colleague’s open scoreboard the row glides up', async () => {
    await expect(places.first()).toContainText(admin.name);
    expect(await glidesOf(other)).toContain(admin.id);
  });

  await test.step('in the week’s ranks, at an address of their own, rows glide as well', async () => {
    await other.getByRole('radio', { name: 'This week' }).click();
    await expect(other).toHaveURL(/\/leaderboard\?period=week$/);
    await expect(places.first()).toContainText(admin.name);
    const { length } = await glidesOf(other);
    const data = { activityType: 'Biking', durationMinutes: 120 };
    await request.post('/api/log', { headers: colleague.headers, data });
    await expect(places.first()).toContainText(colleague.name);
    expect((await glidesOf(other)).slice(length)).toContain(colleague.id);
  });
  await other.context().close();
});

test('[1.8 5.7 5.8 D7 D9 D10] a movement of yesterday, logged by hand, counts for yesterday', async ({
  page,
  request,
}) => {
  const { admin } = await harbour(request);
  await signIn(page, admin.email);
  await page.goto('/timer');
  await page.getByRole('button', { name: 'Log manually' }).click();
  await page.getByRole('button', { name: /Biking/ }).click();
  await page.getByLabel('Minutes').fill('9');
  await expect(page.getByText('Duration must be at least 10 minutes')).toBeVisible();
  await page.getByLabel('Minutes').fill('45');
  await expect(page.getByRole('button', { name: 'Log Activity' })).toBeDisabled();
  const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
  await page.getByLabel('Started').fill(`${yesterday}T08:30`);
  await page.getByLabel('Describe your workout').fill('To the market and back');
  await page.getByRole('button', { name: 'Log Activity' }).click();
  await expect(page.getByText('Great job! You earned 4.5 miles for your team', { exact: true })).toBeVisible();
  await expect(stat(page, 'Total miles')).toContainText('4.5');
  await page.getByRole('link', { name: 'Why this total?' }).click();
  const date = new Date(`${yesterday}T00:00:00Z`);
  const name = new Intl.DateTimeFormat('en', { dateStyle: 'full', timeZone: 'UTC' }).format(date);
  await expect(page.getByRole('region', { name })).toContainText('45 minutes of Biking: 45 ÷ 10 = 4.5 miles');
  await page.goto('/profile');
  await expect(page.getByRole('button', { name: /^Correct Biking/ })).toBeVisible();
});

test('[1.14 2.90 4.36 D5 D8 D9 D16 D19 D32 D35 D50] a log is cheered for, corrected, then deleted: dashboard, scoreboard, feed and ledger follow', async ({
  page,
  browser,
  request,
  expectRefusal,
}) => {
  // A correction that the server refuses.
  expectRefusal(422, /^\/api\/logs\//);
  const { admin, colleague } = await harbour(request);
  const caption = `Up the hill, ${randomUUID().slice(0, 8)}`;
  const data = { activityType: 'Hiking', durationMinutes: 60, photoPrompt: caption };
  const answer = await request.post('/api/log', { headers: admin.headers, data });
  expect(answer.status()).toBe(200);
  await signIn(page, admin.email);
  const other = await (await browser.newContext()).newPage();
  await signIn(other, colleague.email);

  await test.step('a colleague sees it on the scoreboard and in the feed', async () => {
    await expect(stat(page, 'Total miles')).toContainText('6.0');
    await other.goto('/feed');
    await expect(other.getByText(caption)).toBeVisible();
    await other.goto('/leaderboard');
    await expect(board(other)).toContainText('6.0');
  });

  await test.step('whoever logged it sees the colleague’s cheer and comment as they are given', async () => {
    const post = (where: Page) => where.getByRole('article').filter({ hasText: caption });
    for (const each of [page, other]) {
      await each.goto('/feed');
      await post(each).getByRole('button', { name: '0 comments' }).click();
      await expect(post(each).getByLabel('Write a comment')).toBeVisible();
    }
    await post(other).getByRole('button', { name: 'Strong' }).click();
    await expect(post(other).getByRole('button', { name: 'Strong, 1', pressed: true })).toBeVisible();
    await expect(post(page).getByRole('button', { name: 'Strong, 1', pressed: false })).toBeVisible();
    await post(other).getByLabel('Write a comment').fill('What a hill!');
    await post(other).getByRole('button', { name: 'Comment', exact: true }).click();
    for (const each of [page, other]) {
      await expect(post(each).getByText('What a hill!')).toBeVisible();
      await expect(post(each).getByRole('button', { name: '1 comment' })).toBeVisible();
    }
    await page.getByRole('tab', { name: 'My Activity' }).click();
    await post(page)
      .getByRole('button', { name: /^Strong\s*1$/ })
      .click();
    await expect(page.getByRole('dialog').getByText(colleague.name)).toBeVisible();
    await page.keyboard.press('Escape');
    await other.goto('/leaderboard');
  });

  await test.step('corrected to half an hour, it counts half, in every open page', async () => {
    await page.goto('/profile');
    await page.getByRole('button', { name: /^Correct Hiking/ }).click();
    await page.getByLabel('Minutes').fill('5');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByText('Duration must be at least 10 minutes')).toBeVisible();
    await page.getByLabel('Minutes').fill('30');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByText('Log corrected', { exact: true })).toBeVisible();
    await expect(board(other)).toContainText('3.0');
    await expect(board(other)).not.toContainText('6.0');
  });

  await test.step('the ledger says why', async () => {
    await page.getByRole('link', { name: 'Why this total?' }).click();
    await expect(page.getByRole('main')).toContainText('60 minutes of Hiking: 60 ÷ 10 = 6 miles');
    await expect(page.getByRole('main')).toContainText('Corrected from 60 to 30 minutes: −3 miles');
  });

  await test.step('deleted, it is gone everywhere without a reload', async () => {
    await page.goto('/profile');
    await page.getByRole('button', { name: /^Delete Hiking/ }).click();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await expect(page.getByText('Log deleted', { exact: true })).toBeVisible();
    await expect(page.getByText(caption)).toHaveCount(0);
    await expect(board(other)).not.toContainText('3.0');
    await other.goto('/feed');
    await expect(other.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(other.getByText(caption)).toHaveCount(0);
    await page.goto('/dashboard');
    await expect(stat(page, 'Total miles')).toContainText('0.0');
    await expect(stat(page, 'Rank')).toContainText('--');
    await page.goto('/miles');
    await expect(page.getByRole('main')).toContainText('Removed: −3 miles');
  });
  await other.context().close();
});
