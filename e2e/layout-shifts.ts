import { expect, type Browser, type Page, type Request } from '@playwright/test';
import type { Caller } from './api.ts';
import { password } from './people.ts';

/** Lighthouse's slow 4G. */
const slow4G = { offline: false, latency: 150, downloadThroughput: (1.6e6 / 8) * 0.9, uploadThroughput: 750e3 / 8 };

const isAwaited = (url: string): boolean => !/\/api\/events\b/.test(url);

/** Runs in the page. */
function recordShifts(): void {
  const shifts: { value: number; moved: string[] }[] = [];
  Object.assign(globalThis, { shifts });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & {
      value: number;
      sources: { node: Node | null; previousRect: DOMRect; currentRect: DOMRect }[];
    })[])
      shifts.push({
        value: entry.value,
        moved: entry.sources.map(
          ({ node, previousRect, currentRect }) =>
            `${entry.value.toFixed(3)} at ${Math.round(entry.startTime)} ms: ${node?.nodeName ?? '?'} '${node?.textContent?.slice(0, 40) ?? ''}' from ${previousRect.y} to ${currentRect.y}`,
        ),
      });
  }).observe({ type: 'layout-shift', buffered: true });
}

/** An element that a screen shows once it has loaded. */
export type Awaited = { readonly role: Parameters<Page['getByRole']>[0]; readonly name: string | RegExp };

/** How far what stood on a screen was moved by what came later: the sum of all layout shifts, and what moved. */
export async function shiftsWhileLoading(
  browser: Browser,
  { email }: Pick<Caller, 'email'>,
  screen: { path: string; size: { width: number; height: number }; awaited: readonly Awaited[] },
): Promise<{ sum: number; moved: string[] }> {
  const context = await browser.newContext({ viewport: screen.size });
  try {
    const answer = await context.request.post('/api/login', { data: { email, password } });
    const stored = (await answer.json()) as { token: string; user: object };
    await context.addInitScript(({ token, user }) => {
      // The empty page that a tab begins with has no storage.
      if (location.protocol === 'about:') return;
      localStorage.setItem('token', token);
      localStorage.setItem('user', JSON.stringify(user));
    }, stored);
    await context.addInitScript(recordShifts);
    const page = await context.newPage();
    let underWay = 0;
    page.on('request', (request) => isAwaited(request.url()) && (underWay += 1));
    const end = (request: Request) => isAwaited(request.url()) && (underWay -= 1);
    page.on('requestfinished', end);
    page.on('requestfailed', end);
    const devtools = await context.newCDPSession(page);
    await devtools.send('Network.enable');
    await devtools.send('Network.emulateNetworkConditions', slow4G);
    await page.goto(screen.path, { waitUntil: 'commit' });
    for (const { role, name } of screen.awaited)
      await expect(page.getByRole(role, { name }).first()).toBeVisible({ timeout: 60_000 });
    await expect.poll(() => underWay, { timeout: 60_000 }).toBe(0);
    await expect(page.getByRole('status').filter({ hasText: 'Loading' })).toHaveCount(0);
    return await page.evaluate(() => {
      const { shifts } = globalThis as unknown as { shifts: { value: number; moved: string[] }[] };
      return { sum: shifts.reduce((sum, { value }) => sum + value, 0), moved: shifts.flatMap(({ moved }) => moved) };
    });
  } finally {
    await context.close();
  }
}
