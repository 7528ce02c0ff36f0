import type { VariablesOf } from './admin-commands.ts';
import { databaseOf } from './databases.ts';
import { readRunFile, secretsOf } from './instance-files.ts';
import type { InstanceDir } from './paths.ts';
import { runInteractive } from './programs.ts';
import { serviceNamed, UserError } from './terminal.ts';
import { found, installCommand, tools } from './toolchain.ts';
import { serviceVariables } from './variables.ts';

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

/** Opens psql on a service's database as its owner, with every organisation's rows in sight. */
export async function psql(instanceDir: InstanceDir, name = 'identity', args: string[] = []): Promise<number> {
  const url = `${readRunFile(instanceDir).postgresOwner}${databaseOf(serviceNamed(name))}`;
  if (found(tools.psql) === undefined) {
    throw new UserError('psql is missing.', `Run: ${installCommand([tools.psql])}\n  or use another client: ${url}`);
  }
  return runInteractive('psql', [...args, url], { PGOPTIONS: '-c app.org=system' });
}
