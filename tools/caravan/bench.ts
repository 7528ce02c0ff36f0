import { join } from 'node:path';
import { handOver } from './handover.ts';
import { npmProgram, root } from './paths.ts';

/** Measures one goal, or all of them. Returns the exit code. */
export const bench = (goals: readonly string[]): Promise<number> =>
  handOver(npmProgram('tsx'), [join(root, 'bench/main.ts'), ...goals]);
