import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { ServiceName } from '@caravan/contracts/events/topics';
import { everyReadModel, type RebuildStep } from '@caravan/messaging/consumer/read-model';
import { bundleOf } from '../process/paths.ts';
import { runInteractive } from '../process/programs.ts';
import { print, serviceNamed, UserError } from '../process/terminal.ts';

/** What an operator's command is told of a service: its own settings, and its database's owner. */
export type VariablesOf = (service: ServiceName) => Record<string, string>;

function runAdminCommand(variablesOf: VariablesOf, service: ServiceName, words: string[]): Promise<number> {
  return runInteractive(process.execPath, [bundleOf(service), ...words], variablesOf(service));
}

/** Who signs up without an invite joins it. Founding it again changes nothing. */
export const foundDefault = (variablesOf: VariablesOf, name: string, timeZone: string): Promise<number> =>
  runAdminCommand(variablesOf, 'identity', ['--found-default', name, '--time-zone', timeZone]);

export async function redrive(variablesOf: VariablesOf, service: string | undefined): Promise<number> {
  return runAdminCommand(variablesOf, serviceNamed(service), ['--redrive']);
}

/** After a restore from a backup: the service's log begins a new epoch. */
export async function beginEpoch(variablesOf: VariablesOf, service: string | undefined): Promise<number> {
  return runAdminCommand(variablesOf, serviceNamed(service), ['--begin-epoch']);
}

/** After a restore, before the service runs: what was on its way then is on its way again, or all that was ever told. */
export async function afterRestore(
  variablesOf: VariablesOf,
  service: string | undefined,
  keptFile = 'all',
): Promise<number> {
  return runAdminCommand(variablesOf, serviceNamed(service), ['--after-restore', keptFile]);
}

export async function closeOrganisation(variablesOf: VariablesOf, orgId: string | undefined): Promise<number> {
  if (orgId === undefined) throw new UserError('Which one?', 'Name its id: ./caravan close-organisation <id>');
  return runAdminCommand(variablesOf, 'identity', ['--close-organisation', orgId]);
}

/** Counts addresses as confirmed without a mail. */
export async function confirmAddresses(variablesOf: VariablesOf, emails: readonly string[]): Promise<number> {
  if (emails.length === 0) throw new UserError('Whose?', 'Name an address: ./caravan confirm-address <e-mail>');
  return runAdminCommand(
    variablesOf,
    'identity',
    emails.flatMap((email) => ['--confirm-address', email]),
  );
}

export async function appointAdmin(variablesOf: VariablesOf, email: string | undefined): Promise<number> {
  if (email === undefined) throw new UserError('Whom?', 'Name an address: ./caravan appoint-admin <e-mail>');
  return runAdminCommand(variablesOf, 'identity', ['--appoint-admin', email]);
}

/** Makes a read model of a service again, or all of them, while the product runs; can be repeated. */
export async function rebuild(
  variablesOf: VariablesOf,
  { service: name, readModel, isAll }: { service: string | undefined; readModel: string | undefined; isAll: boolean },
): Promise<number> {
  const service = serviceNamed(name);
  if (readModel === undefined && !isAll)
    throw new UserError('Which read model?', 'Name it: ./caravan rebuild <service> <read model>, or --all');
  const steps = await begin(variablesOf, service, readModel ?? everyReadModel);
  if (steps.length === 0) print(`${service} has no read models.`);
  for (const step of steps) {
    const exitCode = await make(variablesOf, service, step);
    if (exitCode !== 0) return exitCode;
  }
  return 0;
}

async function begin(variablesOf: VariablesOf, service: ServiceName, readModel: string): Promise<RebuildStep[]> {
  const words = [bundleOf(service), '--begin-rebuild', readModel];
  const env = { ...process.env, ...variablesOf(service) };
  try {
    const { stdout } = await promisify(execFile)(process.execPath, words, { env });
    // Its last line: whatever else goes wrong in the service is said before.
    return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as RebuildStep[];
  } catch (error) {
    const { stdout = '', stderr = String(error) } = error as { stdout?: string; stderr?: string };
    throw new UserError(stdout.trim() || stderr.trim(), 'Where to find what, in ARCHITECTURE.md, lists them.');
  }
}

async function make(variablesOf: VariablesOf, service: ServiceName, step: RebuildStep): Promise<number> {
  if (step.is === 'inline') return runAdminCommand(variablesOf, service, ['--rebuild', step.name]);
  for (const replay of step.replays) {
    const exitCode = await runAdminCommand(variablesOf, replay.service, ['--republish', replay.topic]);
    if (exitCode !== 0) return exitCode;
  }
  return runAdminCommand(variablesOf, service, ['--finish-rebuild', step.name]);
}
