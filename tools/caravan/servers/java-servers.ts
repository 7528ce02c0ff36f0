import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { logSays } from '../process/logs.ts';
import { type InstanceDir, root, shared } from '../process/paths.ts';
import { privately } from '../process/private-files.ts';
import { answers, freePort } from '../process/ports.ts';
import { commandLine } from '../process/process-tree.ts';
import { runTool } from '../process/programs.ts';
import type { Secrets } from './instance-files.ts';
import type { Program, Supervisor } from '../process/supervisor.ts';

const logSettings = {
  kafka: `-Dlog4j2.configurationFile=${join(root, 'infra/local/kafka/log4j2.properties')}`,
  s3proxy: `-Dlogback.configurationFile=${join(root, 'infra/local/s3proxy/logback.xml')}`,
};

/** In a POSIX locale Java cannot read a path that is not ASCII. */
const javaVariables = { LC_ALL: 'C.UTF-8' };

type JavaModule = keyof typeof logSettings;

const classPath = (module: JavaModule): string => join(shared.jars, module, '*');

function dropUnfinishedArchives(): void {
  for (const file of readdirSync(shared.jars)) {
    const launcher = /\.jsa\.(\d+)$/.exec(file)?.[1];
    if (launcher !== undefined && commandLine(Number(launcher)) === '')
      rmSync(join(shared.jars, file), { force: true });
  }
}

/** Compiles less: Kafka takes half the processor time until it is ready, and more per message later. */
const quickStart = ['-XX:TieredStopAtLevel=1'];

/** Parsed classes are kept beside the jars: Kafka is ready after 1.4 s instead of 3.5. */
function javaProgram(
  module: JavaModule,
  options: string[],
  args: string[],
): Pick<Program, 'command' | 'args' | 'variables' | 'afterEnd'> {
  const archive = join(shared.jars, `${module}.jsa`);
  const unfinished = `${archive}.${process.pid}`;
  dropUnfinishedArchives();
  const classes = existsSync(archive) ? `-XX:SharedArchiveFile=${archive}` : `-XX:ArchiveClassesAtExit=${unfinished}`;
  const machine = [...options, '-XX:+UseSerialGC', '-Xshare:auto', classes, '-Xlog:disable', '-Xlog:all=error:stderr'];
  return {
    command: 'java',
    variables: javaVariables,
    args: [...machine, logSettings[module], '-cp', classPath(module), ...args],
    afterEnd: ({ inOrder }) => {
      if (inOrder && !existsSync(archive) && existsSync(unfinished)) renameSync(unfinished, archive);
      rmSync(unfinished, { force: true });
    },
  };
}

/** A value of a Java properties file, which is read as ISO 8859-1. */
export const propertyValue = (text: string): string =>
  text
    .replaceAll('\\', '\\\\')
    .replaceAll(/[^\x20-\x7e]/gu, (sign) =>
      sign.replaceAll(/[\s\S]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
    )
    .replace(/^ /, '\\ ');

const settings = (data: string, port: number, controllerPort: number): Record<string, string | number> => ({
  'process.roles': 'broker,controller',
  'node.id': 1,
  'controller.quorum.voters': `1@127.0.0.1:${controllerPort}`,
  listeners: `PLAINTEXT://127.0.0.1:${port},CONTROLLER://127.0.0.1:${controllerPort}`,
  'advertised.listeners': `PLAINTEXT://127.0.0.1:${port}`,
  'controller.listener.names': 'CONTROLLER',
  'listener.security.protocol.map': 'PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT',
  'log.dirs': data,
  'auto.create.topics.enable': 'false',
  'offsets.topic.replication.factor': 1,
  'offsets.topic.num.partitions': 8,
  'transaction.state.log.replication.factor': 1,
  'transaction.state.log.min.isr': 1,
  'transaction.state.log.num.partitions': 4,
  'share.coordinator.state.topic.replication.factor': 1,
  'share.coordinator.state.topic.min.isr': 1,
  'group.initial.rebalance.delay.ms': 0,
  'log.retention.hours': 14 * 24,
  'log.index.size.max.bytes': 1_048_576,
  'log.cleaner.dedupe.buffer.size': 8_388_608,
  // A broker that was killed is known to be gone after 3 s instead of 9, so it may come back sooner.
  'broker.session.timeout.ms': 3000,
  'broker.heartbeat.interval.ms': 500,
});

async function format(settingsFile: string, signal: AbortSignal): Promise<void> {
  // With `=`: one id in sixty-four begins with a dash.
  const clusterId = randomBytes(16).toString('base64url');
  const tool = [
    '-cp',
    classPath('kafka'),
    'kafka.tools.StorageTool',
    'format',
    `--cluster-id=${clusterId}`,
    '-c',
    settingsFile,
  ];
  const options = { signal, variables: javaVariables };
  await privately(() => runTool('java', ['-XX:+UseSerialGC', ...quickStart, ...tool], options));
}

export const brokersAt = (port: number): string[] => [`127.0.0.1:${port}`];

export async function startKafka(
  supervisor: Supervisor,
  instanceDir: InstanceDir,
  { port, isMeasured = false }: { port: number; isMeasured?: boolean | undefined },
): Promise<string[]> {
  const data = join(instanceDir.data, 'kafka');
  const settingsFile = join(instanceDir.run, 'kafka.properties');
  const lines = Object.entries(settings(data, port, await freePort())).map(
    ([name, value]) => `${name}=${propertyValue(String(value))}`,
  );
  writeFileSync(settingsFile, `${lines.join('\n')}\n`, { mode: 0o600 });
  if (!existsSync(join(data, 'meta.properties'))) await format(settingsFile, supervisor.signal);

  await supervisor.start({
    name: 'kafka',
    kind: 'server',
    ...javaProgram('kafka', [...(isMeasured ? [] : quickStart), '-Xmx512m'], ['kafka.Kafka', settingsFile]),
    marker: settingsFile,
    stopSignal: 'SIGTERM',
    isReady: ({ logFile, logFrom }) => logSays(logFile, logFrom, 'Kafka Server started'),
  });
  return brokersAt(port);
}

export type ObjectStore = { endpoint: string; bucket: string; region: string; accessKey: string; secretKey: string };

const bucket = 'caravan';

export const objectStoreAt = (port: number, { s3 }: Secrets): ObjectStore => ({
  endpoint: `http://127.0.0.1:${port}`,
  bucket,
  region: 'us-east-1',
  ...s3,
});

export async function startS3(
  supervisor: Supervisor,
  instanceDir: InstanceDir,
  { port, secrets }: { port: number; secrets: Secrets },
): Promise<ObjectStore> {
  const data = join(instanceDir.data, 's3');
  const settingsFile = join(instanceDir.run, 's3proxy.properties');
  mkdirSync(join(data, bucket), { recursive: true, mode: 0o700 });
  const settings = {
    's3proxy.endpoint': objectStoreAt(port, secrets).endpoint,
    's3proxy.authorization': 'aws-v4',
    's3proxy.identity': secrets.s3.accessKey,
    's3proxy.credential': secrets.s3.secretKey,
    's3proxy.cors-allow-origins': '.*',
    's3proxy.cors-allow-methods': 'GET PUT POST HEAD',
    's3proxy.cors-allow-headers': '.*',
    's3proxy.cors-exposed-headers': 'ETag',
    'jclouds.provider': 'filesystem-nio2',
    'jclouds.filesystem.basedir': data,
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${propertyValue(value)}`);
  writeFileSync(settingsFile, `${lines.join('\n')}\n`, { mode: 0o600 });

  await supervisor.start({
    name: 's3',
    kind: 'server',
    ...javaProgram('s3proxy', [...quickStart, '-Xmx192m'], ['org.gaul.s3proxy.Main', '--properties', settingsFile]),
    marker: settingsFile,
    stopSignal: 'SIGTERM',
    isReady: () => answers(port, 'GET / HTTP/1.0\r\n\r\n', 'HTTP/'),
  });
  return objectStoreAt(port, secrets);
}
