import { expect, type Page } from '@playwright/test';
import axe from 'axe-core';
import { chooseCases } from '@caravan/contracts/testing/full';

export const sizes = [
  { width: 390, height: 844 },
  { width: 1280, height: 800 },
];
/** A phone; in a full run a desk as well. */
export const chosenSizes = chooseCases(sizes, sizes.slice(0, 1));
const rulesOfColour = ['color-contrast', 'link-in-text-block'];
const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/**
 * As a phone shows it, and in a full run a desk too: nothing that axe knows of, nothing to scroll sideways. In every run
 * a desk's own layout is tried on badges, postcards, boards and the forms of admins.
 */
export async function expectAccessible(page: Page, path: string): Promise<void> {
  await page.goto(path);
  for (const size of chosenSizes) {
    await page.setViewportSize(size);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
    await expectNoViolations(page, `${path} at ${size.width}`);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(overflow, `${path} at ${size.width} scrolls sideways`).toBeLessThanOrEqual(0);
  }
}

/** By what axe knows of: in light all of it, in dark what colours decide. */
export async function expectNoViolations(page: Page, what: string): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light' });
  await expectNone(page, { type: 'tag', values: rules }, what);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectNone(page, { type: 'rule', values: rulesOfColour }, `${what}, in dark`);
  await page.emulateMedia({ colorScheme: 'light' });
}

/** No page of ours has frames, so axe is put into a page once and asked there: a third of what its own package takes. */
async function expectNone(page: Page, runOnly: axe.RunOnly, what: string): Promise<void> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source);
  await page.evaluate(untilColoursStand);
  const { violations } = await page.evaluate(
    (options) => (globalThis as unknown as { axe: typeof axe }).axe.run(document, options),
    { runOnly, resultTypes: ['violations'] } satisfies axe.RunOptions,
  );
  const told = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
  expect(told, what).toEqual([]);
}

/** Halfway from one scheme to the other a colour is neither's. What never ends (a spinner) is not waited for. */
async function untilColoursStand(): Promise<void> {
  const frame = () => new Promise((drawn) => requestAnimationFrame(drawn));
  await frame();
  await frame();
  const moving = document
    .getAnimations()
    .filter(({ playState, effect }) => playState === 'running' && effect?.getComputedTiming().endTime !== Infinity);
  await Promise.allSettled(moving.map(({ finished }) => finished));
}

/** Under something else (2.4.11). */
export const isFocusCovered = (page: Page): Promise<boolean> =>
  page.evaluate(() => {
    const focused = document.activeElement?.getBoundingClientRect();
    if (!focused) return false;
    const seen = document.elementFromPoint(focused.x + focused.width / 2, focused.y + focused.height / 2);
    return !document.activeElement?.contains(seen) && !seen?.contains(document.activeElement);
  });
