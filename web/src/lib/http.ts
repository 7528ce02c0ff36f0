import type { SessionAnswer } from '@caravan/contracts/http/accounts';
import { takePreloadedAnswer } from './preloaded-answers.ts';
import { HttpError, SignedOutError } from './http-error.ts';
import { retryingFetch } from './retrying-fetch.ts';
import { isSessionNeeded, refuseSession, startSession, storedToken } from './session-state.ts';

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
/**
 * `fetch` by the rules of every call: bearer when there is a token, cookies, an `HttpError` for any answer that is not
 * OK. 401 tries to refresh once; what is still 401 or 403 ends the session, and nothing else does (ADR 0006).
 */
export async function sessionFetch(request: Request): Promise<Response> {
  const { pathname } = new URL(request.url);
  const again = request.clone();
  const token = storedToken();
  const response = await send(request, token);
  if (withoutSession.has(pathname)) return okOrThrow(response);
  if (response.status !== 401 || !token || !isSessionNeeded()) return okOrEnd(response, token);
  if (!(await renewToken(token))) return okOrEnd(response, token);
  const newToken = storedToken();
  return okOrEnd(await send(again, newToken), newToken);
}

async function send(request: Request, token: string | null): Promise<Response> {
  const headers = new Headers(request.headers);
  if (!headers.has('accept')) headers.set('accept', 'application/json');
  if (token) headers.set('authorization', `Bearer ${token}`);
  if (!headers.has('traceparent')) headers.set('traceparent', newTraceparent());
  const preloaded = await takePreloadedAnswer(request, token);
  return retryingFetch(new Request(request, { headers, credentials: 'include' }), preloaded);
}

/** Begins the trace that gateway and services go on with (W3C Trace Context); the tries of a call share it. */
function newTraceparent(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(24));
  const digits = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return `00-${digits.slice(0, 32)}-${digits.slice(32)}-01`;
}

/** @param token the one that was sent */
async function okOrEnd(response: Response, token: string | null): Promise<Response> {
  if (!isRefusal(response)) return okOrThrow(response);
  const current = storedToken();
  // Somebody has signed in since: what was refused is no longer the session.
  if (current !== null && current !== token) return okOrThrow(response);
  // A worn token on a screen that needs no session stays until a screen does: only there it may be renewed (D44).
  if (response.status === 403 || isSessionNeeded()) refuseSession();
  throw new SignedOutError(response.status, response.statusText, await response.text());
}

const isRefusal = ({ status }: Response): boolean => status === 401 || status === 403;

async function okOrThrow(response: Response): Promise<Response> {
  if (response.ok) return response;
  throw new HttpError(response.status, response.statusText, await response.text());
}

let renewing: Promise<boolean> | null = null;

/** Takes a new token before the old one is refused, where the server knows more about the person by now. False: none. */
export async function renewSession(): Promise<boolean> {
  const token = storedToken();
  return token !== null && renewToken(token).catch(() => false);
}

/**
 * Exchanges the refresh cookie once, however many calls ask at the same time. True: there is a new token; false: the
 * cookie was refused too. Throws where that could not be learnt: limits, an outage, no network, a page that goes away.
 */
function renewToken(refusedToken: string): Promise<boolean> {
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
  if (token !== refusedToken) return token !== null;
  const request = new Request(new URL(refreshPath, location.origin), {
    method: 'POST',
    credentials: 'include',
    // A page that is left takes the new cookie along; the old one would soon count as stolen.
    keepalive: true,
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: '{}',
  });
  const response = await retryingFetch(request);
  if (isRefusal(response)) return false;
  const answer = (await (await okOrThrow(response)).json()) as SessionAnswer;
  startSession(answer.token, answer.user);
  return true;
}
