import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { ServiceName } from '@caravan/contracts/topics';
import { everyReadModel, type RebuildStep } from '@caravan/messaging/rebuild-steps';
import { adminVariables, runAdminCommand } from './admin-commands.ts';
import { bundleOf } from './build.ts';
import type { InstanceDir } from './paths.ts';
import { serviceNamed } from './command-line.ts';
import { print } from './progress.ts';
import { UserError } from './user-error.ts';

/**
 * Makes a read model of a service again, or all of them, while the product runs: what the service's own log tells from
 * that, what its consumers write from what the other services publish again for them. Can be broken off and repeated.
 * Returns the exit code.
 */
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
