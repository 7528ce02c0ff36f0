import react from '@vitejs/plugin-react';
import { configDefaults, defineConfig } from 'vitest/config';
import { lingui } from './web/build/lingui.ts';

const exclude = [...configDefaults.exclude, '**/.caravan/**', '**/dist/**', '**/generated/**'];
const webRoot = `${import.meta.dirname}/web`;
// Lingui looks for its settings upwards from the working directory, which is the root here.
process.env.LINGUI_CONFIG ??= `${webRoot}/lingui.config.ts`;

// A test waits for conditions; these only end one that waits for ever, on however busy a machine.
const timeouts = { testTimeout: 60_000, hookTimeout: 120_000, expect: { poll: { timeout: 30_000 } } };

const freshPage = `${webRoot}/src/testing/fresh-page.ts`;
const seeded = `${import.meta.dirname}/libs/contracts/testing/seeded-file.ts`;

// What changes the meaning of a source in web/vite.config.ts; its route generator and page builder stay out, so that
// running a spec writes no file.
const web = {
  root: webRoot,
  plugins: [react(), lingui()],
};

// Rules of the web app, which share nothing but modules, as the pure specs elsewhere. The one on notices asks the API's
// client, which asks the window where it is.
const withoutWindow = [
  'build/*.spec.ts',
  'src/features/**/!(notices).spec.ts',
  'src/lib/{backoff,brand-colour,live-shown,scene-colour}.spec.ts',
  'src/ui/{scene,charts}/*.spec.ts',
];

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
          setupFiles: [seeded],
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
          setupFiles: [seeded, 'tools/check-invariants/after-suite.ts', 'libs/messaging/testing/late-facts.ts'],
          globalSetup: 'tools/caravan/testing/own-servers.ts',
          pool: 'forks',
          isolate: false,
          // Every suite has its own database, topics and key prefix, and waits half of its time.
          maxWorkers: 4,
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
          setupFiles: [seeded, freshPage],
          pool: 'threads',
          isolate: false,
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
          setupFiles: [seeded, freshPage],
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
          setupFiles: [seeded],
          pool: 'threads',
          isolate: false,
          maxWorkers: 2,
        },
      },
    ],
  },
});
