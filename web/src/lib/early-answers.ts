/**
 * What a screen shows first is asked for by the page itself, while its scripts are still on their way
 * (`before-paint.ts`); the first call for it takes that answer.
 */
export type EarlyAnswers = {
  /** The token that asked; somebody else's answers are not taken. */
  readonly token: string;
  /** By the page's own clock (ms): what nobody has taken by then is out of date. */
  readonly goodUntil: number;
  /** By path; each answer is taken once. */
  readonly byPath: Map<string, Promise<Response>>;
};

/** By path of the page: what its first view shows. Every other page of members asks who that is. */
export const askedEarly: Record<string, readonly string[]> = {
  '/dashboard': ['/api/me', '/api/dashboard/stats', '/api/bonus-challenge', '/api/weekly-challenges', '/api/journey'],
};
export const askedEarlyAnywhere: readonly string[] = ['/api/me'];

declare global {
  interface Window {
    earlyAnswers?: EarlyAnswers;
  }
}

export const earlyForMilliseconds = 10_000;

/** An early answer, where there is a good one; undefined: ask. A refusal is an answer too, and a write ends them all. */
export async function takeEarlyAnswer({ url, method }: Request, token: string | null): Promise<Response | undefined> {
  const early = window.earlyAnswers;
  const { pathname, search } = new URL(url);
  if (method !== 'GET') delete window.earlyAnswers;
  if (!early || early.token !== token || early.goodUntil < performance.now() || method !== 'GET' || search)
    return undefined;
  const asked = early.byPath.get(pathname);
  early.byPath.delete(pathname);
  const answer = await asked?.catch(() => undefined);
  return answer && (answer.ok || answer.status === 401 || answer.status === 403) ? answer : undefined;
}
