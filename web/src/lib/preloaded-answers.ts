import type { ReadPath } from './query-keys.ts';

/**
 * What a screen shows first is asked for by the page itself, while its scripts are still on their way
 * (`before-paint.ts`); the first call for it takes that answer.
 */
type PreloadedAnswers = {
  /** The token that asked; somebody else's answers are not taken. */
  readonly token: string;
  /** By the page's own clock (ms): what nobody has taken by then is out of date. */
  readonly goodUntil: number;
  /** By path; each answer is taken once. */
  readonly byPath: Map<string, Promise<Response>>;
};

/** By path of the page: what its first view shows. Every other page of members asks who that is. */
export const preloadedPaths: Record<string, readonly ReadPath[]> = {
  '/dashboard': [
    '/api/me',
    '/api/org/branding',
    '/api/dashboard/stats',
    '/api/miles/days',
    '/api/bonus-challenge',
    '/api/weekly-challenges',
    '/api/journey',
  ],
};
export const preloadedAnywhere: readonly ReadPath[] = ['/api/me', '/api/org/branding'];

declare global {
  interface Window {
    preloadedAnswers?: PreloadedAnswers;
  }
}

export const preloadedForMilliseconds = 10_000;

/** A preloaded answer; undefined: ask. A failure is an answer too: a failed call is made once. A write drops them all. */
export async function takePreloadedAnswer(
  { url, method }: Request,
  token: string | null,
): Promise<Response | undefined> {
  const preloaded = window.preloadedAnswers;
  const { pathname, search } = new URL(url);
  if (method !== 'GET') delete window.preloadedAnswers;
  if (!preloaded || preloaded.token !== token || preloaded.goodUntil < performance.now() || method !== 'GET' || search)
    return undefined;
  const asked = preloaded.byPath.get(pathname);
  preloaded.byPath.delete(pathname);
  return asked?.catch(() => undefined);
}
