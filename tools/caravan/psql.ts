import { databaseOf } from './databases.ts';
import { runInteractive } from './programs.ts';
import type { InstanceDir } from './paths.ts';
import { readRunFile } from './run-file.ts';
import { serviceNamed } from './command-line.ts';
import { installCommand, found, tools } from './toolchain.ts';
import { UserError } from './user-error.ts';

/**
 * Opens psql on a service's database as its owner, with every organisation's rows in sight; what follows the service is
 * psql's own. Returns the exit code.
 */
export async function psql(instanceDir: InstanceDir, name = 'identity', args: string[] = []): Promise<number> {
  const url = `${readRunFile(instanceDir).postgresOwner}${databaseOf(serviceNamed(name))}`;
  if (found(tools.psql) === undefined) {
    throw new UserError('psql is missing.', `Run: ${installCommand([tools.psql])}\n  or use another client: ${url}`);
  }
  return runInteractive('psql', [...args, url], { PGOPTIONS: '-c app.org=system' });
}
