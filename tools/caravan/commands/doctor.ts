import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';
import { localTimeOf } from '@caravan/contracts/domain/time/local-days';
import { type ServiceName, serviceNames } from '@caravan/contracts/events/topics';
import { createPool } from '@caravan/event-store/postgres/connections';
import { deadRows, type DeadRows, oldestSnapshot, type OldestSnapshot } from '@caravan/messaging/operator/held-back';
import { Client } from '@caravan/event-store/postgres/client';
import { consumerFindings } from '../operate/consumers.ts';
import type { CrashCount } from '../process/crashes.ts';
import { withKafka } from '../servers/databases.ts';
import { findingsOf as findingsOf, wrong } from '../operate/deployment/installation.ts';
import { env } from '../process/env.ts';
import type { InstanceDir } from '../process/paths.ts';
import { partFindings } from '../operate/parts.ts';
import { isFree } from '../process/ports.ts';
import { commandLine } from '../process/process-tree.ts';
import { readRunFile, type RunFile } from '../servers/instance-files.ts';
import { findTool, installCommand, type Tool, tools } from '../build/toolchain.ts';

const line = (mark: string, what: string, details: string): string => `${mark}  ${what.padEnd(14)}${details}\n`;

/** These name it on the error stream, and wrk calls it a failure that it was asked. */
const versionAsked: Readonly<Record<string, string>> = {
  java: 'java -version 2>&1',
  nginx: 'nginx -v 2>&1',
  wrk: 'wrk -v 2>&1 || true',
};

function version(command: string): string {
  const asked = versionAsked[command] ?? `${command} --version 2>/dev/null`;
  try {
    const [firstLine = ''] = execFileSync('sh', ['-c', asked], { encoding: 'utf8' }).split('\n');
    return stripVTControlCharacters(firstLine);
  } catch {
    return 'does not start';
  }
}

function report(tool: Tool): boolean {
  const command = findTool(tool);
  process.stdout.write(
    command === undefined
      ? line('✗', tool.name, `missing: ${installCommand([tool])}`)
      : line('✓', tool.name, version(command)),
  );
  return command !== undefined;
}

async function nothingStands(run: RunFile, heldForSeconds?: number): Promise<boolean> {
  try {
    const standing = await standingMessages(run);
    for (const { service, parked, refused } of standing) {
      const what = `${parked} messages are parked, ${refused} were refused by Kafka: ./caravan redrive ${service}`;
      process.stdout.write(line('✗', service, what));
    }
    for (const held of await heldSnapshots(run, heldForSeconds))
      process.stdout.write(line('!', held.service, toldOf(held)));
    return standing.length === 0;
  } catch (error) {
    process.stdout.write(line('✗', 'databases', String(error)));
    return false;
  }
}

async function everyPartAnswers(run: RunFile): Promise<boolean> {
  const findings = await partFindings(run);
  for (const { mark, what, details } of findings) process.stdout.write(line(mark, what, details));
  return findings.every(({ mark }) => mark !== '✗');
}

async function everythingIsAsked(run: RunFile): Promise<boolean> {
  const open = await openBreakers(run);
  for (const { service, dependency } of open) {
    const who =
      service === 'nobody' ? 'does not answer' : `does not answer ${service}, which leaves it alone until it does`;
    process.stdout.write(line('✗', dependency, who));
  }
  return open.length === 0;
}

function reportCrash({ log }: Pick<InstanceDir, 'log'>, name: string, { count, lastAt, how }: CrashCount): void {
  const times = count === 1 ? 'once' : `${count} times`;
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  const last = `the last time ${localTimeOf(new Date(lastAt), timeZone).replace('T', ' ')} (${how})`;
  process.stdout.write(line('!', name, `crashed ${times}, ${last}, and was started again; see ${log}/${name}.log`));
}

/** Says what is here, what is missing and what brings it. A snapshot counts as held from `heldForSeconds` on. */
export async function doctor(
  instanceDir: Pick<InstanceDir, 'runFile' | 'log'>,
  heldForSeconds?: number,
): Promise<number> {
  process.stdout.write(line('✓', 'Node', process.version));
  const needed = [tools.java, tools.maven, tools.redis].map(report);
  process.stdout.write('For `./caravan test` and `./caravan psql`:\n');
  for (const tool of [tools.chromium, tools.firefox, tools.webkit, tools.psql]) report(tool);
  process.stdout.write('For `./caravan bench` (Parse Server comes from npm when it is measured):\n');
  for (const tool of [tools.wrk, tools.nginx]) report(tool);
  process.stdout.write('Ports:\n');
  if (existsSync(instanceDir.runFile)) {
    const run = readRunFile(instanceDir);
    const { url, services, mail, platforms, crashes, pids } = run;
    process.stdout.write(line('✓', 'running', url));
    for (const [name, address] of Object.entries(services)) process.stdout.write(line(' ', name, address));
    process.stdout.write(line(' ', 'mailbox', `${mail.http} (takes mail at ${mail.smtp})`));
    for (const [name, address] of Object.entries(platforms))
      process.stdout.write(line(' ', name, `${address} (simulated)`));
    for (const [name, crash] of Object.entries(crashes)) reportCrash(instanceDir, name, crash);
    for (const [name, pid] of Object.entries(pids))
      if (commandLine(pid) === '') process.stdout.write(line('✗', name, 'is away at the moment'));
    needed.push(
      await everyPartAnswers(run),
      await nothingStands(run, heldForSeconds),
      await everythingIsAsked(run),
      await everyGroupApplies(run),
    );
  } else {
    const isPortFree = await isFree(env.port);
    const advice = `taken; choose another: CARAVAN_PORT=${env.port + 10} ./caravan up`;
    process.stdout.write(line(isPortFree ? '✓' : '✗', String(env.port), isPortFree ? 'free' : advice));
    needed.push(isPortFree);
  }
  return needed.every(Boolean) ? 0 : 1;
}

const kafkaAnswersWithinMs = 30_000;

async function everyGroupApplies({ postgres, kafka: brokers, services, serviceCredential }: RunFile): Promise<boolean> {
  const looked = withKafka([...brokers], async (kafka) => {
    const all = serviceNames.map(async (name) => {
      const pool = createPool(postgres[name], { acquireTimeoutMillis: 3_000, max: 1 });
      const url = services[name];
      const address = { url, metricsUrl: `${url}/metrics`, serviceCredential };
      try {
        return await findingsOf(`${name} consumers`, () => consumerFindings({ ...address, name, pool, kafka }));
      } finally {
        await pool.end();
      }
    });
    return (await Promise.all(all)).flat();
  });
  const late = pause(kafkaAnswersWithinMs, [wrong('kafka', 'does not answer in time')], { ref: false });
  const findings = await findingsOf('kafka', () => Promise.race([looked, late]));
  for (const { mark, what, details } of findings) process.stdout.write(`${mark}  ${what.padEnd(24)}${details}\n`);
  return findings.every(({ mark }) => mark !== '✗');
}

type OpenBreaker = { readonly service: string; readonly dependency: string };

const timeoutMilliseconds = 5_000;
const openState = /^caravan_breaker_state\{(?=[^}]*dependency="([^"]+)")[^}]*\} [12]$/gm;

export async function openBreakers({ services, serviceCredential }: RunFile): Promise<OpenBreaker[]> {
  const asked = Object.entries(services).map(async ([service, url]) => {
    const text = await fetch(`${url}/metrics`, {
      headers: { 'x-service-credential': serviceCredential },
      signal: AbortSignal.timeout(timeoutMilliseconds),
    }).then(
      (answer) => answer.text(),
      () => undefined,
    );
    // What tells nothing of others does not answer itself.
    if (text === undefined) return [{ service: 'nobody', dependency: service }];
    return [...text.matchAll(openState)].map(([, dependency = '']) => ({ service, dependency }));
  });
  return (await Promise.all(asked)).flat();
}

const worthTellingSeconds = 60;

type HeldSnapshot = OldestSnapshot & { readonly service: ServiceName; readonly heldBack: readonly DeadRows[] };

export async function heldSnapshots(
  { postgres }: Pick<RunFile, 'postgres'>,
  atLeastSeconds = worthTellingSeconds,
): Promise<HeldSnapshot[]> {
  const all = await Promise.all(
    serviceNames.map(async (service) => ({ service, ...(await lookAt(postgres[service])) })),
  );
  return all.flatMap(({ service, oldest, rows }) =>
    oldest && oldest.ageSeconds >= atLeastSeconds ? [{ service, ...oldest, heldBack: rows }] : [],
  );
}

function toldOf({ application, role, pid, state, ageSeconds, heldBack: tables }: HeldSnapshot): string {
  const who = `${application || 'a session without a name'} (${role}, pid ${pid}, ${state})`;
  const since = `${Math.floor(ageSeconds / 60)} min`;
  const what = tables.slice(0, 5).map(({ table, rows }) => `${table} ${rows}`);
  const rows = what.length > 0 ? `; deleted rows that cannot go: ${what.join(', ')}` : '';
  return `${who} has held a snapshot for ${since}${rows}; see docs/operate/monitoring.md`;
}

async function lookAt(databaseUrl: string) {
  const pool = createPool(databaseUrl, {
    acquireTimeoutMillis: 3_000,
    max: 1,
    silenceMilliseconds: timeoutMilliseconds,
  });
  try {
    return { oldest: await oldestSnapshot(pool), rows: await deadRows(pool, 1_000) };
  } finally {
    await pool.end();
  }
}

type Standing = { readonly service: ServiceName; readonly parked: number; readonly refused: number };

async function standingMessages({ postgres }: Pick<RunFile, 'postgres'>): Promise<Standing[]> {
  const all = await Promise.all(
    serviceNames.map(async (service) => ({ service, ...(await countIn(postgres[service])) })),
  );
  return all.filter(({ parked, refused }) => parked + refused > 0);
}

async function countIn(connectionString: string | undefined): Promise<Omit<Standing, 'service'>> {
  const client = new Client({
    connectionString,
    connectionTimeoutMillis: 3_000,
    query_timeout: timeoutMilliseconds,
  });
  try {
    await client.connect();
    const { rows } = await client.query<Omit<Standing, 'service'>>(
      'select (select count(*) from msg.parked)::int as parked, (select count(*) from es.refused)::int as refused',
    );
    return rows[0] ?? { parked: 0, refused: 0 };
  } finally {
    await client.end().catch(() => undefined);
  }
}
