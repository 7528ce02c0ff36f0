import { randomUUID } from '@caravan/contracts/testing/seeded';
import { expect, type Page } from '@playwright/test';

export const password = 'Caravan-2026!';

export function stranger(name: string) {
  return {
    name,
    email: `${name.toLowerCase().replaceAll(/\W+/g, '.')}.${randomUUID().slice(0, 8)}@example.org`,
  };
}

export async function signUp(
  page: Page,
  { name, email }: ReturnType<typeof stranger>,
  link: string | null = null,
): Promise<void> {
  await page.goto(link ?? '/signup');
  if (link === null) await page.getByRole('button', { name: 'Continue with Email' }).click();
  await page.getByLabel('Full name').fill(name);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await expect(page.getByText('Strong')).toBeVisible();
  await page.getByRole('button', { name: 'Create Account' }).click();
}

export async function onboard(page: Page, team: RegExp): Promise<void> {
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByText('10 minutes = 1 mile')).toBeVisible();
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByRole('button', { name: 'Continue' })).toBeDisabled();
  await page.getByRole('radio', { name: /I work out regularly/ }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText(team);
  await page.getByRole('button', { name: 'Get Started' }).click();
  await expect(page).toHaveURL(/\/dashboard$/);
}

export async function signIn(page: Page, email: string, secret = password): Promise<void> {
  await page.goto('/login');
  await page.getByRole('button', { name: 'Continue with Email' }).click();
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(secret);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(page).toHaveURL(/\/dashboard$/);
}
