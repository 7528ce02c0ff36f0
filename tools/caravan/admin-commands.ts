import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { ServiceName } from '@caravan/contracts/topics';
import { everyReadModel, type RebuildStep } from '@caravan/messaging/read-model';
import { bundleOf } from './build.ts';
import { databaseOf } from './databases.ts';
import type { InstanceDir } from './paths.ts';
import { runInteractive } from './programs.ts';
import { readRunFile, secretsOf } from './instance-files.ts';
import { print, serviceNamed, UserError } from './terminal.ts';
import { found, installCommand, tools } from './toolchain.ts';
import { serviceVariables } from './variables.ts';

function runAdminCommand(instanceDir: InstanceDir, service: ServiceName, words: string[]): Promise<number> {
  return runInteractive(process.execPath, [bundleOf(service), ...words], adminVariables(instanceDir, service));
}

function adminVariables(instanceDir: InstanceDir, service: ServiceName): Record<string, string> {
  const { url, postgres, postgresOwner, kafka, redis, s3, services, mail } = readRunFile(instanceDir);
  const addresses = { url, postgres, kafka, redis, s3, services, mail };
  return {
    ...serviceVariables(service, addresses, secretsOf(instanceDir), 'up'),
    MIGRATION_DATABASE_URL: `${postgresOwner}${databaseOf(service)}`,
    LOG_LEVEL: 'error',
  };
}

export async function redrive(instanceDir: InstanceDir, service: string | undefined): Promise<number> {
  return runAdminCommand(instanceDir, serviceNamed(service), ['--redrive']);
}

/** After a restore from a backup: the service's log begins a new epoch. */
export async function beginEpoch(instanceDir: InstanceDir, service: string | undefined): Promise<number> {
  return runAdminCommand(instanceDir, serviceNamed(service), ['--begin-epoch']);
}

export async function closeOrganisation(instanceDir: InstanceDir, orgId: string | undefined): Promise<number> {
  if (orgId === undefined) throw new UserError('Which one?', 'Name its id: ./caravan close-organisation <id>');
  return runAdminCommand(instanceDir, 'identity', ['--close-organisation', orgId]);
}

/** Counts addresses as confirmed without a mail. */
export async function confirmAddresses(instanceDir: InstanceDir, emails: readonly string[]): Promise<number> {
  if (emails.length === 0) throw new UserError('Whose?', 'Name an address: ./caravan confirm-address <e-mail>');
  return runAdminCommand(
    instanceDir,
    'identity',
    emails.flatMap((email) => ['--confirm-address', email]),
  );
}

export async function appointAdmin(instanceDir: InstanceDir, email: string | undefined): Promise<number> {
  if (email === undefined) throw new UserError('Whom?', 'Name an address: ./caravan appoint-admin <e-mail>');
  return runAdminCommand(instanceDir, 'identity', ['--appoint-admin', email]);
}

/** Opens psql on a service's database as its owner, with every organisation's rows in sight. */
export async function psql(instanceDir: InstanceDir, name = 'identity', args: string[] = []): Promise<number> {
  const url = `${readRunFile(instanceDir).postgresOwner}${databaseOf(serviceNamed(name))}`;
  if (found(tools.psql) === undefined) {
    throw new UserError('psql is missing.', `Run: ${installCommand([tools.psql])}\n  or use another client: ${url}`);
  }
  return runInteractive('psql', [...args, url], { PGOPTIONS: '-c app.org=system' });
}

/** Makes a read model of a service again, or all of them, while the product runs; can be repeated. */
export async function rebuild(
  instanceDir: InstanceDir,
  { service: name, readModel, isAll }: { service: string | undefined; readModel: string | undefined; isAll: boolean },
): Promise<number> {
  const service = serviceNamed(name);
  if (readModel === undefined && !isAll)
    throw new UserError('Which read model?', 'Name it: ./caravan rebuild <service> <read model>, or --all');
  const steps = await begin(instanceDir, service, readModel ?? everyReadModel);
  if (steps.length === 0) print(`${service} has no read models.`);
  for (const step of steps) {
    const exitCode = await make(instanceDir, service, step);
    if (exitCode !== 0) return exitCode;
  }
  return 0;
}

async function begin(instanceDir: InstanceDir, service: ServiceName, readModel: string): Promise<RebuildStep[]> {
  const words = [bundleOf(service), '--begin-rebuild', readModel];
  const env = { ...process.env, ...adminVariables(instanceDir, service) };
  try {
    const { stdout } = await promisify(execFile)(process.execPath, words, { env });
    // Its last line: whatever else goes wrong in the service is said before.
    return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as RebuildStep[];
  } catch (error) {
    const { stdout = '', stderr = String(error) } = error as { stdout?: string; stderr?: string };
    throw new UserError(stdout.trim() || stderr.trim(), 'Where to find what, in ARCHITECTURE.md, lists them.');
  }
}

async function make(instanceDir: InstanceDir, service: ServiceName, step: RebuildStep): Promise<number> {
  if (step.is === 'inline') return runAdminCommand(instanceDir, service, ['--rebuild', step.name]);
  for (const replay of step.replays) {
    const exitCode = await runAdminCommand(instanceDir, replay.service, ['--republish', replay.topic]);
    if (exitCode !== 0) return exitCode;
  }
  return runAdminCommand(instanceDir, service, ['--finish-rebuild', step.name]);
}
