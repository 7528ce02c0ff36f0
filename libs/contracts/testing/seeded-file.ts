import { relative, resolve } from 'node:path';
import fc from 'fast-check';
import { expect } from 'vitest';
import { beginFile } from './seeded.ts';

// Runs before each test file: its values, and those of its properties, follow from the seed of the run and its path.
const path = relative(resolve(import.meta.dirname, '../../..'), expect.getState().testPath ?? '');
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: beginFile(path) });
