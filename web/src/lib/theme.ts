import { storageKeys } from './storage-keys.ts';

export type Theme = 'system' | 'light' | 'dark';

export function currentTheme(): Theme {
  const stored = localStorage.getItem(storageKeys.theme);
  return stored === 'light' || stored === 'dark' ? stored : 'system';
}

/** Shows a theme without keeping it: what one tries before saving. */
export function showTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

/** Kept in this browser; the script before the first paint reads it too. */
export function chooseTheme(theme: Theme): void {
  if (theme === 'system') localStorage.removeItem(storageKeys.theme);
  else localStorage.setItem(storageKeys.theme, theme);
  showTheme(theme);
}

/** A theme chosen in another tab shows here too. */
export function followTheme(): void {
  addEventListener('storage', ({ key }) => {
    if (key === storageKeys.theme) showTheme(currentTheme());
  });
}
