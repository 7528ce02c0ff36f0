import { useMemo } from 'react';
import { createStorageStore } from './store.ts';

/** The oldest give way, so that drafts of entries that are gone do not pile up. */
const mostDrafts = 50;

const store = createStorageStore();

const keyOf = (userId: string): string => `caravan:drafts:${userId}`;

/** Used while the browser refuses to store: drafts then last as long as the page. */
const inMemory = new Map<string, string>();

const storedText = (userId: string): string => {
  const key = keyOf(userId);
  return inMemory.get(key) ?? localStorage.getItem(key) ?? '{}';
};

function parseDrafts(text: string): Map<string, unknown> {
  try {
    return new Map(Object.entries(JSON.parse(text) as Record<string, unknown>));
  } catch {
    return new Map();
  }
}

/** Reads what a member has written and not sent, the same in all tabs of this browser; it survives reloads. */
export function useDraft(userId: string, name: string): unknown {
  const text = store.use(() => storedText(userId));
  return useMemo(() => parseDrafts(text).get(name), [text, name]);
}

export const draftOf = (userId: string, name: string): unknown => parseDrafts(storedText(userId)).get(name);

/** @param draft undefined: it is sent or empty, and goes */
export function keepDraft(userId: string, name: string, draft: unknown): void {
  const all = parseDrafts(storedText(userId));
  all.delete(name);
  if (draft !== undefined) all.set(name, draft);
  write(keyOf(userId), [...all].slice(-mostDrafts));
}

/** Called when the member signs out, so that the next person at this browser finds none of it. */
export function forgetDrafts(userId: string): void {
  write(keyOf(userId), []);
}

function write(key: string, drafts: readonly (readonly [string, unknown])[]): void {
  const text = JSON.stringify(Object.fromEntries(drafts));
  inMemory.delete(key);
  try {
    if (drafts.length > 0) localStorage.setItem(key, text);
    else localStorage.removeItem(key);
  } catch {
    inMemory.set(key, text);
  }
  store.tell();
}
