import { join } from 'node:path';
import { npmProgram, root } from './paths.ts';
import { runTool } from './programs.ts';

/** Fails when the web app grows beyond `.size-limit.json`. Builds beside dist/, which a running instance may serve. */
export async function webSizes(signal: AbortSignal): Promise<void> {
  const build = ['build', '--outDir', join(root, '.caravan/sizes'), '--emptyOutDir'];
  await runTool(npmProgram('vite'), build, { signal, cwd: join(root, 'web') });
  await runTool(npmProgram('size-limit'), [], { signal, cwd: root });
}
