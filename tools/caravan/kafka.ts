import { randomBytes } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { classPath, javaProgram, javaVariables, quickStart } from './java.ts';
import { logSays } from './log-file.ts';
import type { InstanceDir } from './paths.ts';
import { freePort } from './ports.ts';
import type { Supervisor } from './supervisor.ts';
import { propertyValue } from './properties.ts';
import { runTool } from './programs.ts';

/** One broker that is its own controller (KRaft): nothing is replicated, nothing is created by accident. */
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
  await runTool('java', ['-XX:+UseSerialGC', ...quickStart, ...tool], { signal, variables: javaVariables });
}

/** Starts Kafka on a free port, its storage formatted at the first start. Returns the addresses of its brokers. */
export async function startKafka(
  supervisor: Supervisor,
  instanceDir: InstanceDir,
  { isMeasured = false }: { isMeasured?: boolean },
): Promise<string[]> {
  const data = join(instanceDir.data, 'kafka');
  const settingsFile = join(instanceDir.run, 'kafka.properties');
  const port = await freePort();
  const lines = Object.entries(settings(data, port, await freePort())).map(
    ([name, value]) => `${name}=${propertyValue(String(value))}`,
  );
  writeFileSync(settingsFile, `${lines.join('\n')}\n`);
  if (!existsSync(join(data, 'meta.properties'))) await format(settingsFile, supervisor.signal);

  await supervisor.start({
    name: 'kafka',
    kind: 'server',
    ...javaProgram('kafka', [...(isMeasured ? [] : quickStart), '-Xmx512m'], ['kafka.Kafka', settingsFile]),
    marker: settingsFile,
    stopSignal: 'SIGTERM',
    isReady: ({ logFile, logFrom }) => logSays(logFile, logFrom, 'Kafka Server started'),
  });
  return [`127.0.0.1:${port}`];
}
