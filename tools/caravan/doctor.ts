import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';
import type { CrashCount } from './crashes.ts';
import { env } from './env.ts';
import type { InstanceDir } from './paths.ts';
import { openBreakers } from './open-breakers.ts';
import { commandLine } from './orphans.ts';
import { heldSnapshots, toldOf } from './held-snapshots.ts';
import { isFree } from './ports.ts';
import { readRunFile } from './run-file.ts';
import type { RunFile } from './run-file.ts';
import { standingMessages } from './standing-messages.ts';
import { installCommand, found, tools } from './toolchain.ts';
import type { Tool } from './toolchain.ts';

const line = (mark: string, what: string, details: string): string => `${mark}  ${what.padEnd(14)}${details}\n`;

function version(command: string): string {
  // Java names its version on the error stream.
  const asked = command === 'java' ? 'java -version 2>&1' : `${command} --version 2>/dev/null`;
  try {
    const [firstLine = ''] = execFileSync('sh', ['-c', asked], { encoding: 'utf8' }).split('\n');
    return stripVTControlCharacters(firstLine);
  } catch {
    return 'does not start';
  }
}

function report(tool: Tool): boolean {
  const command = found(tool);
  process.stdout.write(
    command === undefined
      ? line('✗', tool.name, `missing: ${installCommand([tool])}`)
      : line('✓', tool.name, version(command)),
  );
  return command !== undefined;
}

/** Says which services have messages that wait for an operator, and who keeps deleted rows from going. */
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

/** Says which parts do not answer others. */
async function everythingAnswers(run: RunFile): Promise<boolean> {
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
  const last = `the last time ${new Date(lastAt).toLocaleString('sv')} (${how})`;
  process.stdout.write(line('!', name, `crashed ${times}, ${last}, and was started again; see ${log}/${name}.log`));
}

/**
 * Says what is here, what is missing and what brings it, and which ports are taken. Returns the exit code.
 * @param heldForSeconds how long a snapshot is held that is worth telling; a minute unless said otherwise
 */
export async function doctor(
  instanceDir: Pick<InstanceDir, 'runFile' | 'log'>,
  heldForSeconds?: number,
): Promise<number> {
  process.stdout.write(line('✓', 'Node', process.version));
  const needed = [tools.java, tools.maven, tools.redis].map(report);
  process.stdout.write('For `./caravan test` and `./caravan psql`:\n');
  for (const tool of [tools.chromium, tools.psql]) report(tool);
  process.stdout.write('Ports:\n');
  if (existsSync(instanceDir.runFile)) {
    const run = readRunFile(instanceDir);
    const { url, services, mail, crashes, pids } = run;
    process.stdout.write(line('✓', 'running', url));
    for (const [name, address] of Object.entries(services)) process.stdout.write(line(' ', name, address));
    process.stdout.write(line(' ', 'mailbox', `${mail.http} (takes mail at ${mail.smtp})`));
    for (const [name, crash] of Object.entries(crashes)) reportCrash(instanceDir, name, crash);
    for (const [name, pid] of Object.entries(pids))
      if (commandLine(pid) === '') process.stdout.write(line('✗', name, 'is away at the moment'));
    needed.push(await nothingStands(run, heldForSeconds), await everythingAnswers(run));
  } else {
    const isPortFree = await isFree(env.port);
    const advice = `taken; choose another: CARAVAN_PORT=${env.port + 10} ./caravan up`;
    process.stdout.write(line(isPortFree ? '✓' : '✗', String(env.port), isPortFree ? 'free' : advice));
    needed.push(isPortFree);
  }
  return needed.every(Boolean) ? 0 : 1;
}
