import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '@caravan/caravan/process/ports';
import pg from 'pg';
import { z } from 'zod';
import { answering } from '../child.ts';
import { root } from '../product.ts';
import { runTimed } from '../progress.ts';

const run = promisify(execFile);

/** What is asked of npm, and of nothing else: the product does not know of it. */
const wanted = join(import.meta.dirname, 'parse-server');
const folder = join(root, '.caravan/peers/parse-server');
const workers = 2;
export const people = 48;
const rows = 20_000;
/** On a machine that others use too. */
const startSeconds = 180;
const database = 'bench_parse';
const application = { 'x-parse-application-id': 'peer', 'content-type': 'application/json' };
const masterKey = 'm'.repeat(32);

export type Parse = {
  readonly version: string;
  readonly url: string;
  readonly pid: number;
  /** Of people who have signed in. */
  readonly headers: readonly Readonly<Record<string, string>>[];
  readonly ownerId: string;
  end(): Promise<void>;
};

/** Once per lockfile. */
async function install(): Promise<void> {
  const lock = readFileSync(join(wanted, 'package-lock.json'), 'utf8');
  const stamp = join(folder, 'installed.txt');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return;
  mkdirSync(folder, { recursive: true });
  for (const name of ['package.json', 'package-lock.json']) cpSync(join(wanted, name), join(folder, name));
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  await runTimed('Parse Server is installed from npm', () => run('npm', args, { cwd: folder }));
  writeFileSync(stamp, lock);
}

async function asSuperuser<Answer>(name: string, work: (client: pg.Client) => Promise<Answer>): Promise<Answer> {
  const address = process.env['BENCH_POSTGRES'];
  if (address === undefined) throw new Error('A peer needs a database beside ours: run `./caravan bench peers`');
  const client = new pg.Client({ connectionString: new URL(`/${name}`, address).href });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

const ofPeer = () => new URL(`/${database}`, process.env['BENCH_POSTGRES']).href;

type Server = { readonly pid: number; end(): Promise<void> };

async function startServer(url: string, cluster: number): Promise<Server> {
  const { hostname: host, port } = new URL(url);
  const settings = {
    appId: 'peer',
    masterKey,
    maintenanceKey: 'n'.repeat(32),
    databaseURI: ofPeer(),
    serverURL: url,
    host,
    port: Number(port),
    mountPath: '/parse',
    silent: true,
    verbose: false,
    logLevel: 'error',
    allowClientClassCreation: false,
    enableAnonymousUsers: false,
    logsFolder: null,
    ...(cluster > 1 && { cluster }),
    masterKeyIps: ['127.0.0.1', '::1', '::ffff:127.0.0.1'],
  };
  const file = join(folder, 'settings.json');
  writeFileSync(file, JSON.stringify(settings), { mode: 0o600 });
  const program = join(folder, 'node_modules/parse-server/bin/parse-server');
  const child = spawn(process.execPath, [program, file], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, NODE_ENV: 'production' },
  });
  const stop = () => void child.kill('SIGTERM');
  process.once('exit', stop);
  const end = async () => {
    stop();
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  };
  try {
    await answering(`${url}/health`, startSeconds);
  } catch (error) {
    await end();
    throw error;
  }
  return { pid: child.pid ?? 0, end };
}

/** On the PostgreSQL that serves the product, with as many workouts as a small company has, and people who are signed in. */
export async function startParse(): Promise<Parse> {
  await install();
  await asSuperuser('postgres', async (client) => {
    await client.query(`drop database if exists ${database} with (force)`);
    await client.query(`create database ${database}`);
  });
  const url = `http://127.0.0.1:${await freePort()}/parse`;
  // Workers that meet an empty database stumble over each other's tables: one makes them.
  const first = await startServer(url, 1);
  const signedIn = await prepare(url);
  await first.end();
  const server = await startServer(url, workers);
  return {
    version: versionIn(wanted),
    url,
    pid: server.pid,
    ownerId: signedIn[0]?.objectId ?? '',
    headers: signedIn.map(({ sessionToken }) => ({ ...application, 'x-parse-session-token': sessionToken })),
    end: async () => {
      await server.end();
      await asSuperuser('postgres', (client) => client.query(`drop database if exists ${database} with (force)`));
    },
  };
}

async function prepare(url: string): Promise<readonly z.infer<typeof signedInSchema>[]> {
  await post(`${url}/schemas/Workout`, workoutClass, { 'x-parse-master-key': masterKey });
  const signedIn = await Promise.all(Array.from({ length: people }, (_, nth) => signUp(url, nth)));
  await asSuperuser(database, async (client) => {
    await client.query(seedSql);
    // A class has none but of its id; whoever lists the newest adds one, and without it this is no comparison.
    await client.query('create index workout_newest on "Workout" ("createdAt" desc)');
    await client.query('create index workout_miles on "Workout" (miles desc)');
    await client.query('vacuum analyze');
  });
  return signedIn;
}

const workoutClass = {
  className: 'Workout',
  fields: {
    sport: { type: 'String' },
    minutes: { type: 'Number' },
    miles: { type: 'Number' },
    title: { type: 'String' },
    at: { type: 'Date' },
    owner: { type: 'Pointer', targetClass: '_User' },
  },
};

const seedSql = `insert into "Workout" ("objectId", "createdAt", "updatedAt", sport, minutes, miles, title, at, owner)
  select substr(md5('workout' || nth), 1, 10), now() - nth * interval '1 minute', now(), 'Walking', 30, 1 + nth % 300,
    'Walk ' || nth, now(), ids[1 + nth % array_length(ids, 1)]
  from generate_series(1, ${rows}) nth, (select array_agg("objectId") ids from "_User") of`;

const signedInSchema = z.object({ objectId: z.string(), sessionToken: z.string() });

async function signUp(url: string, nth: number): Promise<z.infer<typeof signedInSchema>> {
  const person = { username: `person${nth}`, password: 'Caravan-2026!', email: `person${nth}@example.org` };
  return signedInSchema.parse(await post(`${url}/users`, person, { 'x-parse-revocable-session': '1' }));
}

async function post(url: string, body: object, headers: Readonly<Record<string, string>>): Promise<unknown> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { ...application, ...headers },
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`Parse Server answered ${answer.status} to ${url}: ${text}`);
  return JSON.parse(text);
}

const manifestSchema = z.object({ dependencies: z.object({ 'parse-server': z.string() }) });
const versionIn = (place: string): string =>
  manifestSchema.parse(JSON.parse(readFileSync(join(place, 'package.json'), 'utf8'))).dependencies['parse-server'];
