import { defineConfig } from 'vitepress';
import { navigation, sidebar } from './navigation.ts';

export default defineConfig({
  title: 'Caravan',
  description: 'Teams log everyday movement, earn miles and travel across a map together.',
  lang: 'en-GB',
  cleanUrls: true,
  cacheDir: '../.caravan/site-cache',
  outDir: '../.caravan/site',
  themeConfig: {
    nav: navigation,
    sidebar,
    outline: [2, 3],
    search: { provider: 'local' },
    docFooter: { prev: 'Before', next: 'Next' },
    footer: { message: 'Apache-2.0' },
  },
});
