import type { Locator, Page } from '@playwright/test';

export const stat = (page: Page, name: string): Locator =>
  page.locator('dl > div').filter({ has: page.locator('dt', { hasText: new RegExp(`^${name}$`) }) });

export const watchGlides = (): void => {
  const glided: string[] = [];
  Object.assign(globalThis, { glided });
  // Called with its element below.
  // oxlint-disable-next-line typescript/unbound-method
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (...how) {
    if (this instanceof HTMLElement && this.dataset['glide']) glided.push(this.dataset['glide']);
    return animate.apply(this, how);
  };
};
export const glidesOf = (page: Page): Promise<string[]> =>
  page.evaluate(() => (globalThis as unknown as { glided: string[] }).glided);
