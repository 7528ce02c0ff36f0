import { expect, test, type Page } from '@playwright/test';
import { password, signIn, stranger } from '../people.ts';

async function signUp(page: Page, { name, email }: ReturnType<typeof stranger>): Promise<void> {
  await page.goto('/signup');
  await page.getByRole('button', { name: 'Continue with Email' }).click();
  await page.getByLabel('Full name').fill(name);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await expect(page.getByText('Strong')).toBeVisible();
  await page.getByRole('button', { name: 'Create Account' }).click();
}

async function onboard(page: Page): Promise<string> {
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByText('10 minutes = 1 mile')).toBeVisible();
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByRole('button', { name: 'Continue' })).toBeDisabled();
  await page.getByRole('radio', { name: /I work out regularly/ }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
  const team = await page.getByTestId('assigned-team').innerText();
  await page.getByRole('button', { name: 'Get Started' }).click();
  await expect(page).toHaveURL(/\/dashboard$/);
  return team;
}

async function moveFor30Minutes(page: Page): Promise<void> {
  await page.clock.install();
  await page.getByRole('button', { name: 'Start the timer' }).click();
  await expect(page).toHaveURL(/\/timer/);
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await page.clock.runFor(30 * 60 * 1000);
  await expect(page.getByRole('timer')).toContainText('30:00');
  await expect(page.getByText('3.00')).toBeVisible();
  await page.getByRole('button', { name: 'Stop' }).click();
}

test('[1.2 1.3 1.7 2.24 2.57 2.65 4.3 D16] sign up, move for half an hour, log it: miles, rank and feed show it at once', async ({
  page,
  browser,
}) => {
  const person = stranger('Nadia Petrova');
  await test.step('sign up and get to know the product', async () => {
    await signUp(page, person);
    await onboard(page);
    await expect(page.getByRole('heading', { level: 1 })).toContainText("Let's go, Nadia");
  });

  const colleague = await browser.newContext();
  const board = await colleague.newPage();
  await test.step('a colleague has the scoreboard open', async () => {
    await signIn(board, 'maya@caravan.example');
    await board.goto('/leaderboard');
    await expect(board.getByRole('heading', { level: 1 })).toBeVisible();
  });

  await test.step('run the timer and log', async () => {
    await moveFor30Minutes(page);
    await page.getByLabel(/describe/i).fill('Twice round the lake');
    await page.getByRole('button', { name: 'Log Activity' }).click();
    await expect(page.getByText('Great job! You earned 3 miles for your team')).toBeVisible();
  });

  await test.step('the dashboard shows it without a reload', async () => {
    await expect(page).toHaveURL(/\/dashboard$/);
    await expect(page.getByTestId('total-miles')).toHaveText(/3\.0/);
    await expect(page.getByTestId('rank')).toHaveText(/#\d+/);
    await expect(page.getByText('2.0 miles to go this week')).toBeVisible();
    await page.getByRole('link', { name: 'Feed' }).first().click();
    await expect(page.getByText('Twice round the lake')).toBeVisible();
  });

  await test.step("the colleague's open scoreboard shows it, too", async () => {
    await board.goto('/feed');
    await expect(board.getByText('Twice round the lake')).toBeVisible();
  });

  await test.step('a reload keeps it', async () => {
    await page.goto('/dashboard');
    await expect(page.getByTestId('total-miles')).toHaveText(/3\.0/);
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
