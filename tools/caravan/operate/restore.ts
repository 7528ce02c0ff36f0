import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { serviceNames } from '@caravan/contracts/events/topics';
import { keysFileOf, manifestSchema, partsOf, restorePoint } from './backup.ts';
import { buildProduct } from '../build/build.ts';
import { databasePasswords, databaseUrls, prepareDatabases } from '../servers/databases.ts';
import { inForeground } from '../process/foreground.ts';
import { secretsOf } from '../servers/instance-files.ts';
import { bundleOf, type InstanceDir } from '../process/paths.ts';
import { dataMode } from '../process/private-files.ts';
import { byService } from '../servers/product.ts';
import { runTool } from '../process/programs.ts';
import { startServers } from '../servers/servers.ts';
import type { Supervisor } from '../process/supervisor.ts';
import { print, step, UserError } from '../process/terminal.ts';
import { downloadJars, requireTools, toolsToRun } from '../build/toolchain.ts';
import { serviceVariables } from '../servers/variables.ts';

type Wanted = { readonly folder: string | undefined; readonly keys: string | undefined; readonly isSure: boolean };

/** Puts a backup in the place of what an instance that is stopped holds. */
export async function restore(instanceDir: InstanceDir, { folder: name, keys, isSure }: Wanted): Promise<number> {
  if (name === undefined) throw new UserError('From where?', 'Name the folder of a backup: ./caravan restore <folder>');
  const folder = resolve(name);
  const keysFile = keys ?? keysFileOf(folder);
  const manifest = manifestOf(folder);
  if (!existsSync(keysFile)) throw new UserError(`There is no ${keysFile}.`, 'Name the keys: --keys <file>');
  if (readdirSync(instanceDir.data).length > 0 && !isSure)
    throw new UserError(
      `${instanceDir.data} holds data that would be replaced.`,
      'Say --yes if that is meant; `./caravan backup <folder>` saves what runs.',
    );
  return inForeground(instanceDir, async (supervisor) => {
    await requireTools(toolsToRun(), supervisor.signal);
    await downloadJars(supervisor.signal);
    await buildProduct(supervisor.signal);
    await restoreInto(supervisor, instanceDir, { folder, keysFile });
    print(`The instance is as it was at ${manifest.at}. Start it: ./caravan up`);
    return { exitCode: 0 };
  });
}

function manifestOf(folder: string) {
  const file = partsOf(folder).manifest;
  if (!existsSync(file)) throw new UserError(`${folder} is no backup.`, 'Name a folder that `./caravan backup` made.');
  const manifest = manifestSchema.safeParse(JSON.parse(readFileSync(file, 'utf8')));
  if (!manifest.success)
    throw new UserError(`${file} is of another version.`, 'Restore with the version that made it.');
  return manifest.data;
}

/** Leaves the servers stopped. What was there goes only once the backup lies beside it. */
export async function restoreInto(
  supervisor: Supervisor,
  instanceDir: InstanceDir,
  { folder, keysFile }: { folder: string; keysFile: string },
): Promise<void> {
  const parts = partsOf(folder);
  const beside = join(instanceDir.folder, 'data.restoring');
  rmSync(beside, { recursive: true, force: true });
  mkdirSync(beside, { mode: dataMode });
  const { signal } = supervisor;
  await step('The backup is copied', async () => {
    await runTool('cp', ['-a', parts.postgres, parts.objects, beside], { signal });
    await runTool('cp', ['-a', `${parts.notes}/.`, beside], { signal });
  });
  stopAtRestorePoint(join(beside, 'postgres'));
  rmSync(instanceDir.data, { recursive: true, force: true });
  renameSync(beside, instanceDir.data);
  writeFileSync(instanceDir.secretsFile, readFileSync(keysFile), { mode: 0o600 });
  await takeUp(supervisor, instanceDir, parts.kept);
  await supervisor.stopAll();
}

/** PostgreSQL replays its log up to the moment of the backup, and goes on from there. */
function stopAtRestorePoint(data: string): void {
  const lines = [
    `restore_command = 'false'`,
    `recovery_target_name = '${restorePoint}'`,
    `recovery_target_action = 'promote'`,
    // Nobody is let in before that.
    `hot_standby = 'off'`,
  ];
  appendFileSync(join(data, 'postgresql.auto.conf'), `${lines.join('\n')}\n`);
  writeFileSync(join(data, 'recovery.signal'), '');
}

/** Redis and Kafka begin empty: the one can be made again, the other is told what was on its way. */
async function takeUp(supervisor: Supervisor, instanceDir: InstanceDir, keptFile: string): Promise<void> {
  const secrets = secretsOf(instanceDir);
  const starting = startServers(supervisor, instanceDir, secrets, { isDurable: true });
  const postgres = await starting.postgres;
  const passwords = databasePasswords(secrets);
  await step('The databases are migrated', () => prepareDatabases(postgres, passwords));
  const [kafka, redis, s3] = await Promise.all([starting.kafka, starting.redis, starting.s3]);
  // No service runs, and none is asked.
  const url = 'http://127.0.0.1:1';
  const addresses = {
    url,
    kafka,
    redis,
    s3,
    mail: { smtp: 'smtp://127.0.0.1:1', http: url },
    platforms: {},
    services: await byService(() => url),
    postgres: await byService((name) => databaseUrls(postgres, passwords, name).runtime),
  };
  for (const service of serviceNames) {
    const variables = {
      ...serviceVariables(service, addresses, secrets, 'up'),
      LOG_LEVEL: 'error',
      MIGRATION_DATABASE_URL: databaseUrls(postgres, passwords, service).owner,
    };
    const words = [bundleOf(service), '--after-restore', keptFile];
    print((await runTool(process.execPath, words, { signal: supervisor.signal, variables })).trim());
  }
}
