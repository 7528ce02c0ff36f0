import { preloadedPaths, preloadedAnywhere, preloadedForMilliseconds } from './lib/preloaded-answers.ts';
import { storageKeys } from './lib/storage-keys.ts';

/** By path, what a screen will fetch; the build puts it here. */
declare const preloads: Record<'open' | 'member', Record<string, string[] | undefined>>;

// Stands inline in the page and runs before anything is painted: the theme and the organisation's colours of last time,
// and the files and answers of the screen to come.
try {
  const { dataset, style } = document.documentElement;
  const theme = localStorage.getItem(storageKeys.theme);
  if (theme) dataset.theme = theme;
  const { properties } = JSON.parse(localStorage.getItem(storageKeys.branding) ?? '{}') as {
    properties?: Record<string, string>;
  };
  for (const name in properties) style.setProperty(name, properties[name] ?? '');
  const { pathname } = location;
  const { open, member } = preloads;
  const token = localStorage.getItem('token');
  // Before the files: they are many, and a browser opens six connections.
  if (token && member[pathname]) {
    const headers = { accept: 'application/json', authorization: `Bearer ${token}` };
    const byPath = new Map<string, Promise<Response>>();
    for (const path of preloadedPaths[pathname] ?? preloadedAnywhere) {
      const answer = fetch(path, { headers, credentials: 'include' });
      // Nobody may ever take it.
      answer.catch(() => undefined);
      byPath.set(path, answer);
    }
    window.preloadedAnswers = { token, byPath, goodUntil: performance.now() + preloadedForMilliseconds };
  }
  for (const href of open[pathname] ?? (token ? member[pathname] : open['/login']) ?? []) {
    const isStyle = href.endsWith('.css');
    const link = Object.assign(document.createElement('link'), { rel: isStyle ? 'preload' : 'modulepreload', href });
    if (isStyle) link.as = 'style';
    link.crossOrigin = '';
    document.head.append(link);
  }
} catch {
  // Without storage the page shows its own colours.
}
