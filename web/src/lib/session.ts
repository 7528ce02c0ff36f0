import type { QueryClient } from '@tanstack/react-query';
import { logout } from './api/generated/sdk.gen.ts';
import { meQuery } from './me.ts';
import { confirmSession, currentSession, endSession, onSessionChange, restoreSession } from './session-state.ts';
import { readStoredUser } from './stored-session.ts';

const logoutMilliseconds = 2000;

/** On load: a stored session is verified with the server; whatever fails signs out silently (4.1 to 4.6). */
export async function verifySession(queryClient: QueryClient): Promise<void> {
  if (restoreSession().status !== 'checking') return;
  try {
    if (await queryClient.query(meQuery)) confirmSession();
    else endSession();
  } catch {
    endSession();
  }
}

/** Ends the session at the server, and here even when the server cannot be reached. */
export async function logOut(): Promise<void> {
  try {
    await logout({ body: {}, signal: AbortSignal.timeout(logoutMilliseconds) });
  } catch {
    // The token is forgotten below; at the server it ends by itself.
  }
  endSession();
}

/** What one person has loaded is never shown to the next; who signs in or out in one tab does so in all. */
export function followSession(queryClient: QueryClient): void {
  let shownTo = currentSession().user?.id;
  onSessionChange(() => {
    const person = currentSession().user?.id;
    if (person !== shownTo) queryClient.clear();
    shownTo = person;
  });
  addEventListener('storage', ({ key, newValue }) => {
    if (key === 'token' && newValue === null) endSession();
    if (key === 'user' && newValue !== null && readStoredUser()?.id !== shownTo) void verifySession(queryClient);
  });
}
