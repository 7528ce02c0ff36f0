import { join } from 'node:path';
import { npmProgram, root } from '../../process/paths.ts';
import { runAttached, runTool } from '../../process/programs.ts';

const folder = join(root, 'docs');

/** Writes the generated pages, or serves the site and shows a changed page without a reload. */
export async function docs(signal: AbortSignal, isWriting: boolean): Promise<number> {
  if (isWriting) {
    const script = join(root, 'tools/caravan/commands/docs/main.ts');
    return runAttached(npmProgram('tsx'), [script], { cwd: root, signal });
  }
  return runAttached(npmProgram('vitepress'), ['dev', folder], { cwd: root, signal });
}

/** Builds the site into .caravan/site. Fails at a link to a page that is not there. */
export async function buildSite(signal: AbortSignal): Promise<void> {
  await runTool(npmProgram('vitepress'), ['build', folder], { signal, cwd: root, lastLines: 40 });
}

export async function checkGeneratedPages(signal: AbortSignal): Promise<void> {
  const script = join(root, 'tools/caravan/commands/docs/main.ts');
  await runTool(npmProgram('tsx'), [script, '--check'], { signal, cwd: root });
}
