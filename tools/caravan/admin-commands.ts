import type { ServiceName } from '@caravan/contracts/topics';
import { bundleOf } from './build.ts';
import { databaseOf } from './databases.ts';
import { runInteractive } from './programs.ts';
import type { InstanceDir } from './paths.ts';
import { readRunFile } from './run-file.ts';
import { secretsOf } from './secrets.ts';
import { serviceNamed } from './command-line.ts';
import { UserError } from './user-error.ts';
import { serviceVariables } from './variables.ts';

/** Runs a service's own program beside the running service, with the same settings, for one piece of work. */
export function runAdminCommand(instanceDir: InstanceDir, service: ServiceName, words: string[]): Promise<number> {
  return runInteractive(process.execPath, [bundleOf(service), ...words], adminVariables(instanceDir, service));
}

/** The service's own settings, and the owner of its database. */
export function adminVariables(instanceDir: InstanceDir, service: ServiceName): Record<string, string> {
  const { url, postgres, postgresOwner, kafka, redis, s3, services, mail } = readRunFile(instanceDir);
  const addresses = { url, postgres, kafka, redis, s3, services, mail };
  return {
    ...serviceVariables(service, addresses, secretsOf(instanceDir), 'up'),
    MIGRATION_DATABASE_URL: `${postgresOwner}${databaseOf(service)}`,
    LOG_LEVEL: 'error',
  };
}

/** Replays, in order, the messages that a service could not handle. Returns the exit code. */
export async function redrive(instanceDir: InstanceDir, service: string | undefined): Promise<number> {
  return runAdminCommand(instanceDir, serviceNamed(service), ['--redrive']);
}

/** After a service's database was restored from a backup: its log begins a new epoch. Returns the exit code. */
export async function beginEpoch(instanceDir: InstanceDir, service: string | undefined): Promise<number> {
  return runAdminCommand(instanceDir, serviceNamed(service), ['--begin-epoch']);
}

/** Closes an organisation without an admin, with whoever is in it. Returns the exit code. */
export async function closeOrganisation(instanceDir: InstanceDir, orgId: string | undefined): Promise<number> {
  if (orgId === undefined) throw new UserError('Which one?', 'Name its id: ./caravan close-organisation <id>');
  return runAdminCommand(instanceDir, 'identity', ['--close-organisation', orgId]);
}

/** Counts addresses as confirmed without a mail. Returns the exit code. */
export async function confirmAddresses(instanceDir: InstanceDir, emails: readonly string[]): Promise<number> {
  if (emails.length === 0) throw new UserError('Whose?', 'Name an address: ./caravan confirm-address <e-mail>');
  return runAdminCommand(
    instanceDir,
    'identity',
    emails.flatMap((email) => ['--confirm-address', email]),
  );
}

/** Makes somebody who has signed up an admin of their organisation. Returns the exit code. */
export async function appointAdmin(instanceDir: InstanceDir, email: string | undefined): Promise<number> {
  if (email === undefined) throw new UserError('Whom?', 'Name an address: ./caravan appoint-admin <e-mail>');
  return runAdminCommand(instanceDir, 'identity', ['--appoint-admin', email]);
}
