import { isLeaving } from './leaving.ts';

const reloadedAtKey = 'reloadedAt';
const minMillisecondsBetweenReloads = 60_000;

const entryOf = (page: ParentNode): string | null =>
  page.querySelector('script[type="module"][src]')?.getAttribute('src') ?? null;

/** A newer version of the page is served: the files of this one are gone. */
async function isReplaced(): Promise<boolean> {
  const answer = await fetch('/', { cache: 'no-store', headers: { accept: 'text/html' } });
  if (!answer.ok) return false;
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  const entry = entryOf(page);
  return entry !== null && entry !== entryOf(document);
}

/**
 * Loads the page anew, but not for ever, after a part of it could not be loaded because a new version has replaced it.
 * A navigation aborts loads, too: a reload would then lead back to the page that is being left.
 */
export function reloadWhenReplaced(reload = () => location.reload()): void {
  addEventListener('vite:preloadError', ({ payload }) => {
    // The router reloads by itself when a message begins like a browser's for a missing module; the prefix prevents that.
    payload.message = `Not loaded: ${payload.message}`;
    if (isLeaving()) return;
    isReplaced().then(
      (isPageReplaced) => {
        const before = Number(sessionStorage.getItem(reloadedAtKey));
        if (!isPageReplaced || isLeaving() || Date.now() - before <= minMillisecondsBetweenReloads) return;
        sessionStorage.setItem(reloadedAtKey, String(Date.now()));
        reload();
      },
      // Nothing is known while there is no network.
      () => undefined,
    );
  });
}
