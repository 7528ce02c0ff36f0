import { join } from 'node:path';
import { runAttached } from './attached.ts';
import { buildProduct } from './build.ts';
import { inForeground } from './foreground.ts';
import { emptied, homeAt, homes, npmProgram, root } from './paths.ts';
import { freePort } from './ports.ts';
import { startProduct } from './product.ts';
import { secretsOf } from './secrets.ts';
import { bringJars, requireTools, toolsToRun } from './toolchain.ts';

/** Measures one goal, or all of them, on an empty product of its own that flushes to disk. Returns the exit code. */
export async function bench(goals: readonly string[]): Promise<number> {
  const home = homeAt(homes.bench);
  return inForeground(home, async (family) => {
    await requireTools(toolsToRun(), family.over);
    await bringJars(family.over);
    emptied(home);
    const built = buildProduct(family.over);
    built.catch(() => undefined);
    const port = await freePort();
    const use = { isDurable: true, isMeasured: true, run: 'bench' as const };
    await startProduct(family, { home, secrets: secretsOf(home), port, ...use, built });
    const args = [join(root, 'bench/main.ts'), ...goals];
    const options = { cwd: root, signal: family.over, variables: { CARAVAN_RUN_FILE: home.runFile } };
    return { exitCode: await runAttached(npmProgram('tsx'), args, options) };
  });
}
