import type { SessionUser } from '@caravan/contracts/http/accounts';

const tokenKey = 'token';
const userKey = 'user';

const isUser = (value: unknown): value is SessionUser =>
  typeof value === 'object' && value !== null && 'name' in value && typeof value.name === 'string' && value.name !== '';

export const storedToken = (): string | null => localStorage.getItem(tokenKey);

/** Who was signed in here last, not yet verified. What is incomplete or cannot be read is cleared. */
export function readStoredUser(): SessionUser | null {
  const [token, text] = [storedToken(), localStorage.getItem(userKey)];
  try {
    const user: unknown = token && text ? JSON.parse(text) : null;
    if (isUser(user)) return user;
  } catch {
    // Corrupt text is treated like none.
  }
  clearStoredSession();
  return null;
}

export function storeSession(token: string, user: SessionUser): void {
  localStorage.setItem(tokenKey, token);
  localStorage.setItem(userKey, JSON.stringify(user));
}

export function clearStoredSession(): void {
  localStorage.removeItem(tokenKey);
  localStorage.removeItem(userKey);
}
