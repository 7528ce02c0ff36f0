import { join } from 'node:path';
import { runAttached } from '../process/programs.ts';
import { buildProduct } from '../build/build.ts';
import { inForeground } from '../process/foreground.ts';
import { emptyInstanceDir, instanceDirAt, instanceDirs, npmProgram, root } from '../process/paths.ts';
import { freePort } from '../process/ports.ts';
import { postgresUrl } from '../servers/postgres.ts';
import { startProduct } from '../servers/product.ts';
import { secretsOf } from '../servers/instance-files.ts';
import { downloadJars, requireTools, toolsToRun } from '../build/toolchain.ts';

type How = { readonly isShort: boolean; readonly options: readonly string[] };

export async function bench(goals: readonly string[], { isShort, options: asked }: How): Promise<number> {
  const instanceDir = instanceDirAt(instanceDirs.bench);
  return inForeground(instanceDir, async (supervisor) => {
    await requireTools(toolsToRun(), supervisor.signal);
    await downloadJars(supervisor.signal);
    emptyInstanceDir(instanceDir);
    const built = buildProduct(supervisor.signal);
    built.catch(() => undefined);
    const port = await freePort();
    const use = { isDurable: true, isMeasured: true, run: 'bench' as const };
    const secrets = secretsOf(instanceDir);
    const { postgres } = await startProduct(supervisor, { instanceDir, secrets, port, ...use, built });
    const args = [join(root, 'bench/main.ts'), ...goals, ...asked];
    const superuser = { superuser: postgres.identity };
    const variables = {
      CARAVAN_RUN_FILE: instanceDir.runFile,
      // A peer gets a database of its own on the same server.
      BENCH_POSTGRES: postgresUrl(superuser, 'postgres', secrets.postgres.superuser, 'postgres'),
      ...(isShort && { BENCH_FORM: 'short' }),
    };
    const options = { cwd: root, signal: supervisor.signal, variables };
    return { exitCode: await runAttached(npmProgram('tsx'), args, options) };
  });
}
