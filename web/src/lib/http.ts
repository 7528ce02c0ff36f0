import type { SessionAnswer } from '@caravan/contracts/http/accounts';
import { HttpError, SignedOutError } from './http-error.ts';
import { endSession, startSession } from './session-state.ts';
import { storedToken } from './stored-session.ts';

const refreshPath = '/api/auth/refresh';
/** Calls whose 401 is an answer to the person, not the end of a session. */
const withoutSession = new Set([
  '/api/login',
  '/api/signup',
  '/api/logout',
  '/api/forgot-password',
  '/api/reset-password',
  '/api/invitations',
  refreshPath,
]);
/** Screens that stand without a session: a 401 there is final (D44). */
const publicScreens = new Set(['/login', '/signup', '/forgot-password', '/reset-password', '/terms', '/privacy']);

/**
 * `fetch` by the rules of every call: bearer when there is a token, cookies, an `HttpError` for any answer that is not
 * OK. 401 tries to refresh once; what is still 401 or 403 ends the session.
 */
export async function sessionFetch(request: Request): Promise<Response> {
  const { pathname } = new URL(request.url);
  const again = request.clone();
  const token = storedToken();
  const response = await send(request, token);
  if (withoutSession.has(pathname)) return okOrThrow(response);
  if (response.status === 401 && token && !publicScreens.has(location.pathname) && (await renewed(token)))
    return okOrEnd(await send(again, storedToken()));
  return okOrEnd(response);
}

async function send(request: Request, token: string | null): Promise<Response> {
  const headers = new Headers(request.headers);
  if (!headers.has('accept')) headers.set('accept', 'application/json');
  if (token) headers.set('authorization', `Bearer ${token}`);
  return fetch(new Request(request, { headers, credentials: 'include' }));
}

async function okOrEnd(response: Response): Promise<Response> {
  if (response.status !== 401 && response.status !== 403) return okOrThrow(response);
  endSession();
  throw new SignedOutError(response.status, response.statusText, await response.text());
}

async function okOrThrow(response: Response): Promise<Response> {
  if (response.ok) return response;
  throw new HttpError(response.status, response.statusText, await response.text());
}

let renewing: Promise<boolean> | null = null;

/** Exchanges the refresh cookie once, however many calls ask at the same time; true when there is a new token. */
function renewed(refusedToken: string): Promise<boolean> {
  renewing ??= acrossTabs(() => exchange(refusedToken)).finally(() => {
    renewing = null;
  });
  return renewing;
}

/** Two tabs must not spend the same refresh cookie. */
const acrossTabs = (work: () => Promise<boolean>): Promise<boolean> =>
  'locks' in navigator ? navigator.locks.request('caravan:refresh', work) : work();

async function exchange(refusedToken: string): Promise<boolean> {
  const token = storedToken();
  if (token && token !== refusedToken) return true;
  try {
    const response = await fetch(refreshPath, {
      method: 'POST',
      credentials: 'include',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: '{}',
    });
    if (!response.ok) return false;
    const answer = (await response.json()) as SessionAnswer;
    startSession(answer.token, answer.user);
    return true;
  } catch {
    return false;
  }
}
