import { join } from 'node:path';
import type { VariablesOf } from './admin-commands.ts';
import { databaseOf } from '../servers/databases.ts';
import { readRunFile, secretsOf } from '../servers/instance-files.ts';
import { type InstanceDir, npmProgram, root } from '../process/paths.ts';
import { runAttached, runInteractive } from '../process/programs.ts';
import { serviceNamed, UserError } from '../process/terminal.ts';
import { findTool, installCommand, tools } from '../build/toolchain.ts';
import { serviceVariables } from '../servers/variables.ts';

/** Of the product that `./caravan up` runs. */
export const localVariables =
  (instanceDir: InstanceDir): VariablesOf =>
  (service) => {
    const { url, postgres, postgresOwner, kafka, redis, s3, services, mail, platforms } = readRunFile(instanceDir);
    const addresses = { url, postgres, kafka, redis, s3, services, mail, platforms };
    return {
      ...serviceVariables(service, addresses, secretsOf(instanceDir), 'up'),
      MIGRATION_DATABASE_URL: `${postgresOwner}${databaseOf(service)}`,
      LOG_LEVEL: 'error',
    };
  };

/** Compares the figures of the services of what runs; exit code 1 when some differ. */
export async function checkInvariants(instanceDir: InstanceDir): Promise<number> {
  readRunFile(instanceDir);
  const { signal } = new AbortController();
  return runAttached(npmProgram('tsx'), [join(root, 'tools/check-invariants/main.ts'), instanceDir.runFile], {
    cwd: root,
    signal,
  });
}

/** Opens psql on a service's database as its owner, with every organisation's rows in sight. */
export async function psql(instanceDir: InstanceDir, name = 'identity', args: string[] = []): Promise<number> {
  const url = `${readRunFile(instanceDir).postgresOwner}${databaseOf(serviceNamed(name))}`;
  if (findTool(tools.psql) === undefined) {
    throw new UserError('psql is missing.', `Run: ${installCommand([tools.psql])}\n  or use another client: ${url}`);
  }
  return runInteractive('psql', [...args, url], { PGOPTIONS: '-c app.org=system' });
}
