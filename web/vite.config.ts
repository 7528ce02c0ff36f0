import { tanstackRouter } from '@tanstack/router-plugin/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { targets } from './build/browsers.ts';
import { ownChunks } from './build/chunks.ts';
import { lingui } from './build/lingui.ts';
import { ownMessages } from './build/messages.ts';
import { ownOperations } from './build/operations.ts';
import { page, precompress } from './build/page.ts';
import { uprightPhotos } from './build/upright.ts';

const here = import.meta.dirname;
// The macro looks for its settings upwards from the working directory, which is the root.
process.env.LINGUI_CONFIG ??= `${here}/lingui.config.ts`;

/** The kit's small parts; what draws in layers is fetched where it opens. */
const isSmallPart = (id: string) =>
  /[\\/](web[\\/]src[\\/](ui|lib)|lucide-react|clsx)[\\/]/.test(id) &&
  !/[\\/](toaster|menu|popover|dialog|tabs|tooltip|segmented|switch)[.]/.test(id) &&
  !/[\\/](password-field|use-rules|select|pager|avatar|pages|branding|brand-colour|oklch|image-files|[a-z-]*drawings?)[.]/.test(
    id,
  ) &&
  !/[\\/](answers|dashboard-stats|error-boundary|on-demand|feed-lists|countdown)[.]/.test(id) &&
  !/[\\/](photo|use-thumb-hash|use-steady-address)[.]/.test(id);

export default defineConfig(({ mode }) => ({
  root: here,
  cacheDir: `${here}/../node_modules/.vite/web`,
  plugins: [
    tanstackRouter({
      target: 'react',
      autoCodeSplitting: true,
      routesDirectory: `${here}/src/routes`,
      generatedRouteTree: `${here}/src/route-tree.gen.ts`,
      quoteStyle: 'single',
      semicolons: true,
    }),
    react(),
    lingui(),
    ownOperations(),
    ownMessages(),
    uprightPhotos(),
    page(),
    precompress(mode === 'quick' ? 'quick' : 'full'),
  ],
  build: {
    outDir: `${here}/../dist/web`,
    emptyOutDir: true,
    // They know light-dark(): lowering it would double every colour.
    target: targets,
    cssTarget: targets,
    assetsInlineLimit: 0,
    sourcemap: 'hidden',
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // What every screen needs of other people's code: it stays in the browser over many releases.
            { name: 'vendor', test: /node_modules[\\/](react|react-dom|scheduler|@tanstack|@lingui)[\\/]/ },
            ...ownChunks(`${here}/src`, isSmallPart),
          ],
        },
      },
    },
  },
}));
