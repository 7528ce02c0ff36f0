import type { SessionUser } from '@caravan/contracts/http/accounts';
import type { QueryClient } from '@tanstack/react-query';
import { logout } from './api/generated/sdk.gen.ts';
import { followMemberZone } from './dates.ts';
import { forgetDrafts } from './drafts.ts';
import { meQuery } from './me.ts';
import { backOffMilliseconds, pause } from './backoff.ts';
import {
  confirmSession,
  currentSession,
  endSession,
  leaveSession,
  onSessionChange,
  readStoredUser,
  restoreSession,
  showFace,
} from './session-state.ts';

const logoutMilliseconds = 2000;

const underWay = new WeakMap<QueryClient, Promise<void>>();

/**
 * On load: a stored session is verified with the server; a refusal signs out silently (4.1 to 4.6). Where the server
 * cannot be asked, the member known last is shown and the question asked again until there is an answer (ADR 0006).
 */
export function verifySession(queryClient: QueryClient): Promise<void> {
  if (restoreSession().status !== 'checking') return Promise.resolve();
  const check = underWay.get(queryClient) ?? askUntilAnswered(queryClient);
  underWay.set(queryClient, check);
  return check.finally(() => underWay.delete(queryClient));
}

async function askUntilAnswered(queryClient: QueryClient): Promise<void> {
  for (let failures = 0; ;) {
    try {
      const me = await queryClient.query(meQuery);
      if (me === null) {
        // Refused where no session is needed: the next screen that needs one asks anew.
        queryClient.removeQueries({ queryKey: meQuery.queryKey, exact: true });
        return;
      }
      confirmSession();
      // The stored address of a photo works for a quarter of an hour (ADR 0057).
      if (me.profilePhotoUrl !== null) showFace(me.profilePhotoUrl);
      // What failed beside the check is worth another try too.
      if (failures > 0) void queryClient.invalidateQueries({ predicate: ({ state }) => state.status === 'error' });
      return;
    } catch {
      failures += 1;
      confirmSession();
    }
    await untilWorthAsking(failures);
    if (currentSession().status === 'signed-out') return;
  }
}

/** After a while, or as soon as there is a network again or another session. */
async function untilWorthAsking(failures: number): Promise<void> {
  const stop = new AbortController();
  const end = () => stop.abort();
  const forget = onSessionChange(end);
  addEventListener('online', end, { signal: stop.signal });
  await pause(backOffMilliseconds(failures), stop.signal);
  forget();
  end();
}

/** Ends the session at the server, and here even when the server cannot be reached. */
export async function logOut(): Promise<void> {
  // Before the call: a refusal ends the session, and whose drafts they were is not known any more.
  forgetDrafts(currentSession().user?.id ?? '');
  void import('./push.ts').then(({ forgetPush }) => forgetPush()).catch(() => undefined);
  try {
    await logout({ body: {}, signal: AbortSignal.timeout(logoutMilliseconds) });
  } catch {
    // The token is forgotten below; at the server it ends by itself.
  }
  endSession();
}

/** Who that is; the specification promises of a stored user only name, role and photo (3). */
const personOf = (user: Partial<SessionUser> | null): string | null =>
  user && (user.id ?? user.email ?? user.name ?? '');

/** What one person has loaded is never shown to the next; who signs in or out in one tab does so in all. */
export function followSession(queryClient: QueryClient): void {
  followMemberZone(queryClient);
  let shownTo = personOf(currentSession().user);
  onSessionChange(() => {
    const person = personOf(currentSession().user);
    if (person !== shownTo) queryClient.clear();
    shownTo = person;
  });
  addEventListener('storage', ({ key, newValue }) => {
    if (key === 'token' && newValue === null) leaveSession();
    if (key === 'user' && newValue !== null && personOf(readStoredUser()) !== shownTo) void verifySession(queryClient);
  });
}
