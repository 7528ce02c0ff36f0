import { defineConfig } from '@lingui/conf';
import { formatter } from '@lingui/format-po';

export default defineConfig({
  sourceLocale: 'en',
  locales: ['en'],
  rootDir: import.meta.dirname,
  catalogs: [{ path: '<rootDir>/src/locales/{locale}', include: ['<rootDir>/src'] }],
  // Without line numbers a catalogue only changes when a text does.
  format: formatter({ lineNumbers: false }),
});
