import { test as base, expect, type BrowserContext, type ConsoleMessage } from '@playwright/test';

/** The browser reports each one as a failed resource. Status 0: no answer came. */
type Refusal = { readonly status: number; readonly path: RegExp };

/** Answers that say 'there is none' where nothing is wrong (D41, D43). */
const nothingThere: readonly Refusal[] = [
  { status: 404, path: /^\/api\/journey$/ },
  { status: 404, path: /^\/api\/teams\/[^/]+\/name-options$/ },
];

const failedResource = /^Failed to load resource: (?:the server responded with a status of (\d{3})|net::ERR_)/;

/** Journeys run in such windows; what is pushed is handed to the worker by the developer tools instead. */
const noPushInIncognito = /^Chrome currently does not support the Push API in incognito mode/;

function isExpected(message: ConsoleMessage, refusals: readonly Refusal[]): boolean {
  if (noPushInIncognito.test(message.text())) return true;
  const failed = failedResource.exec(message.text());
  if (!failed) return false;
  const status = failed[1] ?? 0;
  const { pathname } = new URL(message.location().url);
  return refusals.some((refusal) => refusal.status === Number(status) && refusal.path.test(pathname));
}

type Journey = {
  expectRefusal: (status: number, path: RegExp) => void;
};

/** Whatever a browser's console reports as an error fails the journey. */
export const test = base.extend<Journey>({
  expectRefusal: [
    async ({ browser }, use) => {
      const refusals = [...nothingThere];
      const messages: ConsoleMessage[] = [];
      const thrown: string[] = [];
      const watch = (context: BrowserContext) => {
        context.on('console', (message) => message.type() === 'error' && messages.push(message));
        context.on('weberror', (thrownError) => thrown.push(thrownError.error().message));
      };
      browser.on('context', watch);
      await use((status, path) => refusals.push({ status, path }));
      browser.off('context', watch);
      const errors = messages.filter((message) => !isExpected(message, refusals));
      const told = errors.map((message) => `${message.text()} (${message.location().url})`);
      expect([...told, ...thrown], 'errors in the console').toEqual([]);
    },
    { auto: true },
  ],
});
