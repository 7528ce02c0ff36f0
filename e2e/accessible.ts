import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

export const sizes = [
  { width: 390, height: 844 },
  { width: 1280, height: 800 },
];
const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** As a phone and as a desk shows it: nothing that axe knows of, nothing to scroll sideways. */
export async function expectAccessible(page: Page, path: string): Promise<void> {
  for (const size of sizes) {
    await page.setViewportSize(size);
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
    await expectNoViolations(page, `${path} at ${size.width}`);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(overflow, `${path} at ${size.width} scrolls sideways`).toBeLessThanOrEqual(0);
  }
}

export async function expectNoViolations(page: Page, what: string): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).withTags(rules).analyze();
  const told = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
  expect(told, what).toEqual([]);
}

/** Under something else (2.4.11). */
export const isFocusCovered = (page: Page): Promise<boolean> =>
  page.evaluate(() => {
    const focused = document.activeElement?.getBoundingClientRect();
    if (!focused) return false;
    const seen = document.elementFromPoint(focused.x + focused.width / 2, focused.y + focused.height / 2);
    return !document.activeElement?.contains(seen) && !seen?.contains(document.activeElement);
  });
