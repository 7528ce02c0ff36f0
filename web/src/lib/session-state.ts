import type { SessionUser } from '@caravan/contracts/http/accounts';
import { forgetDrafts } from './drafts.ts';
import { createStore } from './store.ts';

/**
 * `checking` until the server has confirmed the stored token, or could not be asked: then the member known last counts
 * as signed in, and is asked about again. `user` is the stored one until then.
 */
export type Session =
  | { status: 'checking'; user: SessionUser }
  | { status: 'signed-in'; user: SessionUser; isOnboarding: boolean }
  | { status: 'signed-out'; user: null; /** The server ended it while it was in use. */ wasRefused: boolean };

const signedOut: Session = { status: 'signed-out', user: null, wasRefused: false };

let current: Session = signedOut;
const store = createStore();

function become(next: Session): void {
  current = next;
  store.tell();
}

export const currentSession = (): Session => current;

export const onSessionChange = store.follow;

/** Reads what the browser keeps; the session stays `checking` until `confirmSession` or `endSession`. */
export function restoreSession(): Session {
  const user = readStoredUser();
  become(user ? { status: 'checking', user } : signedOut);
  return current;
}

/** The stored user is the signed-in one: the server has accepted the token, or cannot be asked at the moment. */
export function confirmSession(): void {
  if (current.status === 'signed-in') return;
  const user = readStoredUser();
  become(user ? { status: 'signed-in', user, isOnboarding: false } : signedOut);
}

/** After a login, a sign-up or a refresh. */
export function startSession(token: string, user: SessionUser): void {
  storeSession(token, user);
  const isOnboarding = current.status === 'signed-in' && current.isOnboarding;
  become({ status: 'signed-in', user, isOnboarding });
}

/** The member signs out: the stored session and unsent drafts go; pages that need a session lead to the login screen. */
export function endSession(): void {
  forgetDrafts(current.user?.id ?? '');
  leaveSession();
}

/** Another tab has ended the session, and has cleared what was to go with it. */
export function leaveSession(): void {
  clearStoredSession();
  if (current.status !== 'signed-out') become(signedOut);
}

/** The server no longer takes the session: it has expired, or a role or a password has changed. */
export function refuseSession(): void {
  const wasRefused = current.status === 'signed-in';
  clearStoredSession();
  if (current.status !== 'signed-out') become({ status: 'signed-out', user: null, wasRefused });
}

/** The signed-in person is called that from now on, on this page and after a reload. */
export const renameUser = (name: string, email?: string): void =>
  changeUser({ name, ...(email !== undefined && { email }) });

/** Their picture is that from now on; null: they have none. */
export const showFace = (profilePhotoUrl: string | null): void => changeUser({ profilePhotoUrl });

function changeUser(part: Partial<SessionUser>): void {
  const token = storedToken();
  if (current.status !== 'signed-in' || !token) return;
  const user = { ...current.user, ...part };
  storeSession(token, user);
  become({ ...current, user });
}

let isNeededNow = (): boolean => true;

/** Whether the screen that shows needs a session; only there a worn token is renewed, and ends the session (D44). */
export const isSessionNeeded = (): boolean => isNeededNow();

/** The router knows which screens are behind the member area. */
export function needSessionWhere(rule: () => boolean): void {
  isNeededNow = rule;
}

/** While the four steps after a sign-up show, the navigation is hidden. */
export function setOnboarding(isOnboarding: boolean): void {
  if (current.status === 'signed-in') become({ ...current, isOnboarding });
}

export const useSession = (): Session => store.use(currentSession);

const tokenKey = 'token';
const userKey = 'user';

const isUser = (value: unknown): value is SessionUser =>
  typeof value === 'object' && value !== null && 'name' in value && typeof value.name === 'string' && value.name !== '';

export const storedToken = (): string | null => localStorage.getItem(tokenKey);

/** Who was signed in here last, not yet verified. What is incomplete or cannot be read is cleared. */
export function readStoredUser(): SessionUser | null {
  const token = storedToken();
  const text = localStorage.getItem(userKey);
  try {
    const user: unknown = token && text ? JSON.parse(text) : null;
    if (isUser(user)) return user;
  } catch {
    // Corrupt text is treated like none.
  }
  clearStoredSession();
  return null;
}

function storeSession(token: string, user: SessionUser): void {
  localStorage.setItem(tokenKey, token);
  localStorage.setItem(userKey, JSON.stringify(user));
}

function clearStoredSession(): void {
  localStorage.removeItem(tokenKey);
  localStorage.removeItem(userKey);
}
