import { useSyncExternalStore } from 'react';
import { storageKeys } from './storage-keys.ts';

export type Theme = 'system' | 'light' | 'dark';

const listeners = new Set<() => void>();

export function currentTheme(): Theme {
  const stored = localStorage.getItem(storageKeys.theme);
  return stored === 'light' || stored === 'dark' ? stored : 'system';
}

/** Kept in this browser; the script before the first paint reads it too. */
export function chooseTheme(theme: Theme): void {
  if (theme === 'system') localStorage.removeItem(storageKeys.theme);
  else localStorage.setItem(storageKeys.theme, theme);
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  for (const listener of listeners) listener();
}

function onThemeChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const useTheme = (): Theme => useSyncExternalStore(onThemeChange, currentTheme);
