import { join } from 'node:path';
import { configDefaults, defineConfig } from 'vitest/config';

// Packages of the repository are links to the sources beside the sandbox, in which nothing is changed: a rule is judged
// by the specs of its own package, not by those of everybody who uses it.
export default defineConfig({
  test: {
    environment: 'node',
    include: ['{libs,services}/**/*.spec.ts'],
    exclude: [...configDefaults.exclude, '**/*.{int,e2e,containers}.spec.ts'],
    setupFiles: [join(import.meta.dirname, 'repeatable-properties.ts')],
    testTimeout: 120_000,
    // A constant is read when its module is loaded: each run loads it again.
    isolate: true,
  },
});
