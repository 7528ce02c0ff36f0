import { storageKeys } from './lib/storage-keys.ts';

// Stands inline in the page and runs before anything is painted: the theme and the organisation's colours of last time.
try {
  const { dataset, style } = document.documentElement;
  const theme = localStorage.getItem(storageKeys.theme);
  if (theme) dataset.theme = theme;
  const { properties } = JSON.parse(localStorage.getItem(storageKeys.branding) ?? '{}') as {
    properties?: Record<string, string>;
  };
  for (const name in properties) style.setProperty(name, properties[name] ?? '');
} catch {
  // Without storage the page shows its own colours.
}
