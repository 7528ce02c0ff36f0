import { localDateOf, weekStartOf } from '@caravan/contracts/local-days';
import { expect, type Page } from '@playwright/test';
import { test } from '../journey.ts';
import { onboard, signIn, signUp, stranger } from '../people.ts';
import { stat } from '../screens.ts';

async function moveFor30Minutes(page: Page): Promise<void> {
  await page.clock.install();
  await page.getByRole('button', { name: 'Start the timer' }).click();
  await expect(page).toHaveURL(/\/timer/);
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await page.clock.fastForward('30:00');
  await expect(page.getByRole('timer')).toContainText('30:00');
  await expect(page.getByText('3.00')).toBeVisible();
  await page.getByRole('button', { name: 'Stop' }).click();
}

test('[1.2 1.3 1.7 1.15 2.24 2.57 2.58 2.68 2.70 4.12 4.27 4.8 D16 D35] sign up, move for half an hour, log it: miles, rank and feed show it at once', async ({
  page,
  browser,
}) => {
  const person = stranger('Nadia Petrova');
  const caption = `Twice round the lake, ${crypto.randomUUID().slice(0, 8)}`;
  await test.step('sign up and get to know the product', async () => {
    await signUp(page, person);
    await onboard(page, /team (Thunder|Blazers)/);
    await expect(page.getByRole('heading', { level: 1 })).toContainText("Let's go, Nadia");
  });

  const colleague = await browser.newContext();
  const board = await colleague.newPage();
  let before = '';
  await test.step('a colleague has the scoreboard open', async () => {
    await signIn(board, 'maya@caravan.example');
    await board.goto('/leaderboard');
    await board.getByRole('tab', { name: 'Teams' }).click();
    await expect(board.getByRole('tabpanel')).toContainText('Thunder');
    before = await board.getByRole('tabpanel').innerText();
  });

  // Weeks of the demo begin in UTC: half an hour that ends soon after is of the last one.
  const mondayAt = (milliseconds: number) => weekStartOf(localDateOf(new Date(milliseconds), 'UTC'));
  const isOfThisWeek = mondayAt(Date.now() - 31 * 60_000) === mondayAt(Date.now());
  await test.step('run the timer and log', async () => {
    await moveFor30Minutes(page);
    await page.getByLabel(/describe/i).fill(caption);
    await page.getByRole('button', { name: 'Log Activity' }).click();
    await expect(page.getByText('Great job! You earned 3.0 miles for your team', { exact: true })).toBeVisible();
  });

  await test.step('the dashboard shows it without a reload', async () => {
    await expect(page).toHaveURL(/\/dashboard$/);
    await expect(stat(page, 'Total miles')).toContainText('3.0');
    await expect(stat(page, 'Rank')).toContainText(/#\d+/);
    await expect(page.getByText(`${isOfThisWeek ? '2.0' : '5.0'} miles to go this week`)).toBeVisible();
    await page.getByRole('link', { name: 'Feed' }).first().click();
    await expect(page.getByText(caption)).toBeVisible();
  });

  await test.step("the colleague's open scoreboard shows it without a reload, too", async () => {
    await expect(board.getByRole('tabpanel')).not.toHaveText(before, { useInnerText: true });
    await board.goto('/feed');
    await expect(board.getByText(caption)).toBeVisible();
  });

  await test.step('a reload keeps it', async () => {
    await page.goto('/dashboard');
    await expect(stat(page, 'Total miles')).toContainText('3.0');
  });

  await test.step('logging out kills the token at the server', async () => {
    const token = await page.evaluate(() => localStorage.getItem('token'));
    await page.goto('/profile');
    await page.getByRole('button', { name: 'Logout' }).click();
    await expect(page).toHaveURL(/\/login$/);
    const answer = await page.request.get('/api/me', { headers: { authorization: `Bearer ${token}` } });
    expect(answer.status()).toBe(401);
  });
  await colleague.close();
});
