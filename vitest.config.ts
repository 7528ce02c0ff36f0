import { lingui, linguiTransformerBabelPreset } from '@lingui/vite-plugin';
import babel from '@rolldown/plugin-babel';
import react from '@vitejs/plugin-react';
import { configDefaults, defineConfig } from 'vitest/config';

const exclude = [...configDefaults.exclude, '**/.caravan/**', '**/dist/**', '**/generated/**'];
const webRoot = `${import.meta.dirname}/web`;
// Lingui looks for its settings upwards from the working directory, which is the root here.
process.env.LINGUI_CONFIG ??= `${webRoot}/lingui.config.ts`;

// A test waits for conditions; these only end one that waits for ever, on however busy a machine.
const timeouts = { testTimeout: 60_000, hookTimeout: 120_000, expect: { poll: { timeout: 30_000 } } };

// What changes the meaning of a source in web/vite.config.ts; its route generator and page builder stay out, so that
// running a spec writes no file.
const web = {
  root: webRoot,
  plugins: [react(), lingui(), babel({ presets: [linguiTransformerBabelPreset()] })],
};

// Rules of the web app, which share nothing but modules, as the pure specs elsewhere. The one on notices asks the API's
// client, which asks the window where it is.
const withoutWindow = ['src/features/**/!(notices).spec.ts', 'src/lib/{backoff,brand-colour,live-shown}.spec.ts'];

// They put something in the place of `location`, which a real window holds on to, or hand streams and requests of Node
// to what belongs to a window.
const inProcesses = ['src/features/devices/*.spec.tsx', 'src/lib/{live,live-load}.spec.ts'];

export default defineConfig({
  test: {
    allowOnly: false,
    passWithNoTests: true,
    projects: [
      {
        test: {
          name: 'pure',
          ...timeouts,
          environment: 'node',
          include: ['**/*.spec.ts'],
          exclude: [...exclude, '**/*.{int,e2e,containers}.spec.ts', 'web/**'],
          // Pure specs share nothing but modules, so they need no process of their own: this is what keeps them fast.
          pool: 'threads',
          isolate: false,
          maxWorkers: 2,
        },
      },
      {
        test: {
          name: 'integration',
          ...timeouts,
          environment: 'node',
          include: ['**/*.int.spec.ts'],
          exclude,
          setupFiles: ['tools/check-invariants/after-suite.ts', 'libs/messaging/testing/late-facts.ts'],
          pool: 'forks',
          // Every suite has its own database, topics and key prefix, and waits half of its time.
          maxWorkers: 3,
          sequence: { groupOrder: 1 },
        },
      },
      {
        // On images that `./caravan test --containers` has made; no other run of the tests takes them.
        test: {
          name: 'containers',
          ...timeouts,
          environment: 'node',
          include: ['**/*.containers.spec.ts'],
          exclude,
          pool: 'forks',
          maxWorkers: 1,
          sequence: { groupOrder: 2 },
        },
      },
      {
        ...web,
        test: {
          name: 'web',
          ...timeouts,
          environment: 'jsdom',
          include: ['**/*.spec.{ts,tsx}'],
          exclude: [...exclude, ...withoutWindow, ...inProcesses],
          // Each file has a window, globals and modules of its own, as in a process of its own, for a third of the work:
          // what is parsed and compiled once serves all. Windows that are gone stay in memory until their worker ends.
          pool: 'vmThreads',
          vmMemoryLimit: '1GB',
          maxWorkers: 2,
        },
      },
      {
        ...web,
        test: {
          name: 'web-processes',
          ...timeouts,
          environment: 'jsdom',
          include: inProcesses,
          exclude,
          maxWorkers: 2,
        },
      },
      {
        ...web,
        test: {
          name: 'web-rules',
          ...timeouts,
          environment: 'node',
          include: withoutWindow,
          exclude,
          pool: 'threads',
          isolate: false,
          maxWorkers: 2,
        },
      },
    ],
  },
});
