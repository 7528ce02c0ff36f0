import { expect, type Page } from '@playwright/test';

export const password = 'Caravan-2026!';

/** A person nobody has met before. */
export function stranger(name: string) {
  return {
    name,
    email: `${name.toLowerCase().replaceAll(/\W+/g, '.')}.${crypto.randomUUID().slice(0, 8)}@example.org`,
  };
}

/** Signs in through the screen and waits for the dashboard. */
export async function signIn(page: Page, email: string): Promise<void> {
  await page.goto('/login');
  await page.getByRole('button', { name: 'Continue with Email' }).click();
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(page).toHaveURL(/\/dashboard$/);
}
