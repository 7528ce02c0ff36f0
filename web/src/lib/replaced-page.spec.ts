import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { reloadWhenReplaced } from './replaced-page.ts';

const reload = vi.fn();
let served: () => Promise<Response>;
const pageOf = (entry: string) => async () =>
  new Response(`<html><head><script>1</script><script type="module" src="${entry}"></script></head></html>`);

beforeAll(() => reloadWhenReplaced(reload));
beforeEach(() => {
  sessionStorage.clear();
  reload.mockClear();
  document.head.innerHTML = '<script type="module" src="/assets/index-1.js"></script>';
  vi.stubGlobal(
    'fetch',
    vi.fn(() => served()),
  );
});
afterEach(() => vi.unstubAllGlobals());

/** A part of the page could not be loaded; waits until what follows from it is done. */
async function failToLoad() {
  const payload = new TypeError('Importing a module script failed.');
  dispatchEvent(Object.assign(new Event('vite:preloadError'), { payload }));
  await new Promise((resolve) => setTimeout(resolve));
  await new Promise((resolve) => setTimeout(resolve));
}

test.each([
  'Failed to fetch dynamically imported module: /assets/a.js',
  'error loading dynamically imported module: /assets/a.js',
  'Importing a module script failed.',
])('[D36] the router does not take “%s” for a reason to reload the page', (message) => {
  served = pageOf('/assets/index-1.js');
  const error = new TypeError(message);
  dispatchEvent(Object.assign(new Event('vite:preloadError'), { payload: error }));
  expect(error.message).toBe(`Not loaded: ${message}`);
});

test('[D36] after a new version the page is loaded anew, once', async () => {
  served = pageOf('/assets/index-2.js');
  await failToLoad();
  await failToLoad();
  expect(reload).toHaveBeenCalledTimes(1);
});

test('[D36] a load that a navigation aborted never leads back to the page that is left', async () => {
  served = pageOf('/assets/index-1.js');
  await failToLoad();
  served = () => Promise.reject(new TypeError('NetworkError'));
  await failToLoad();
  served = pageOf('/assets/index-2.js');
  dispatchEvent(new Event('beforeunload'));
  await failToLoad();
  expect(reload).not.toHaveBeenCalled();
  dispatchEvent(new Event('pageshow'));
  await failToLoad();
  expect(reload).toHaveBeenCalledTimes(1);
});

test('[D36] a page that cannot be asked for is not loaded anew', async () => {
  served = async () => new Response('', { status: 503 });
  await failToLoad();
  expect(reload).not.toHaveBeenCalled();
});
