import { mkdirSync, watch, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { generateSources, type WatchedBundle, watchedBundles } from '../../build/build.ts';
import { env } from '../../process/env.ts';
import { inForeground } from '../../process/foreground.ts';
import { type InstanceDir, root } from '../../process/paths.ts';
import { freePort } from '../../process/ports.ts';
import type { Supervisor } from '../../process/supervisor.ts';
import { print } from '../../process/terminal.ts';
import { removeRunFile } from '../../servers/instance-files.ts';
import { requireSurroundings, startInstance } from '../up.ts';
import { LogStream } from './log-stream.ts';
import { announcingMigrations, isMigration } from './changed-migrations.ts';
import { Restarts } from './restarts.ts';
import { webServer } from './web-server.ts';

const sources = ['libs', 'services', 'gateway', 'tools/mailbox'];
const isSource = (file: string): boolean =>
  /\.(ts|json|sql)$/.test(file) && !/(^|\/)(node_modules|generated|testing)\/|\.spec\.ts$/.test(file);

/**
 * Serves the product for developers, all of it on one address: the web app by Vite with hot reload, everything
 * else by the gateway behind it. A changed service is built again and restarted.
 */
export async function dev(instanceDir: InstanceDir, shown: readonly string[]): Promise<number> {
  const logs = new LogStream(instanceDir.log, { words: shown, print: (line) => process.stdout.write(`${line}\n`) });
  const ends: (() => unknown)[] = [() => logs.stop()];
  const work = async (supervisor: Supervisor) => {
    ends.push(...(await startDeveloping(supervisor, instanceDir)));
    logs.start();
    ends.push(readFilter(logs));
    return 'stay' as const;
  };
  const exitCode = await inForeground(instanceDir, work, {
    print,
    onOwnCrash: ({ message, lastWords }) =>
      print(`${message}; it is started again when a source changes. Its last lines:\n    ${lastWords.join('\n    ')}`),
  });
  for (const end of ends) await end();
  removeRunFile(instanceDir);
  return exitCode;
}

/** Answers what ends it. */
async function startDeveloping(supervisor: Supervisor, instanceDir: InstanceDir): Promise<(() => unknown)[]> {
  const { signal } = supervisor;
  await requireSurroundings(instanceDir, signal);
  const generated = generateSources(signal);
  const bundles = generated.then(watchedBundles);
  const gatewayPort = await freePort();
  const gateway = `http://127.0.0.1:${gatewayPort}`;
  const web = generated.then(() => supervisor.start(webServer({ port: env.port, gateway })));
  const withoutResult = (made: Promise<unknown>) => made.then(() => undefined);
  const build = {
    processes: withoutResult(bundles),
    webApp: withoutResult(web),
    all: withoutResult(Promise.all([bundles, web])),
  };
  for (const part of Object.values(build)) part.catch(() => undefined);
  await startInstance(supervisor, instanceDir, 'demo', { build, gatewayPort, webRoot: pageElsewhere(instanceDir) });
  const watching = watchSources(await bundles, supervisor, signal);
  process.stdout.write(
    'Change a source, and look. Type a name or a word to see only its log lines, nothing to see all.\n',
  );
  return [watching, ...(await bundles).map(({ close }) => close)];
}

/** The gateway serves no page here, and does not start without a folder for one. */
function pageElsewhere({ run }: InstanceDir): string {
  const folder = join(run, 'web');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'csp.json'), JSON.stringify({ scriptHashes: [] }));
  writeFileSync(join(folder, 'index.html'), `<a href="http://127.0.0.1:${env.port}">The web app</a>\n`);
  return folder;
}

function watchSources(bundles: readonly WatchedBundle[], supervisor: Supervisor, signal: AbortSignal): () => void {
  const restarts = new Restarts(bundles, {
    isRunning: (name) => supervisor.pids[name] !== undefined,
    restart: (name) => supervisor.restart(name),
    print,
  });
  const announce = announcingMigrations(print);
  const watchers = sources.map((folder) =>
    watch(join(root, folder), { recursive: true, signal }, (_event, file) => {
      if (file !== null && isMigration(file)) announce(file);
      else if (file !== null && isSource(file)) restarts.recordChange(resolve(root, folder, file));
    }).on('error', (error) => print(`Changes in ${folder} are not seen any more: ${error.message}`)),
  );
  return () => watchers.forEach((watcher) => watcher.close());
}

function readFilter(logs: LogStream): () => void {
  if (!process.stdin.isTTY) return () => undefined;
  const lines = createInterface({ input: process.stdin });
  lines.on('line', (line) => logs.show(line.split(/\s+/).filter((word) => word !== '')));
  return () => lines.close();
}
