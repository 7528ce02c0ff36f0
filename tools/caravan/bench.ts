import { join } from 'node:path';
import { runAttached } from './programs.ts';
import { buildProduct } from './build.ts';
import { inForeground } from './foreground.ts';
import { emptied, instanceDirAt, instanceDirs, npmProgram, root } from './paths.ts';
import { freePort } from './ports.ts';
import { startProduct } from './product.ts';
import { secretsOf } from './instance-files.ts';
import { downloadJars, requireTools, toolsToRun } from './toolchain.ts';

export async function bench(goals: readonly string[]): Promise<number> {
  const instanceDir = instanceDirAt(instanceDirs.bench);
  return inForeground(instanceDir, async (supervisor) => {
    await requireTools(toolsToRun(), supervisor.signal);
    await downloadJars(supervisor.signal);
    emptied(instanceDir);
    const built = buildProduct(supervisor.signal);
    built.catch(() => undefined);
    const port = await freePort();
    const use = { isDurable: true, isMeasured: true, run: 'bench' as const };
    await startProduct(supervisor, { instanceDir, secrets: secretsOf(instanceDir), port, ...use, built });
    const args = [join(root, 'bench/main.ts'), ...goals];
    const options = { cwd: root, signal: supervisor.signal, variables: { CARAVAN_RUN_FILE: instanceDir.runFile } };
    return { exitCode: await runAttached(npmProgram('tsx'), args, options) };
  });
}
