import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { GenericContainer, type StartedTestContainer } from 'testcontainers';
import { freePort, until } from '../process/ports.ts';
import { acceptsConnections } from '../servers/postgres.ts';
import { serversLabel, serversSettings } from './servers-settings.ts';

// tsx servers-main.ts <settings>: keeps PostgreSQL, Kafka, Redis and S3 in containers of the engine that DOCKER_HOST names.
const [, , settingsFile = ''] = process.argv;
const { images, passwords, s3, isDurable, readyFile } = serversSettings.parse(
  JSON.parse(readFileSync(settingsFile, 'utf8')),
);

const started: StartedTestContainer[] = [];
const startupMilliseconds = 120_000;
const bucket = 'caravan';
const region = 'us-east-1';

async function start(container: GenericContainer): Promise<StartedTestContainer> {
  const running = await container
    .withLabels({ [serversLabel]: 'true' })
    .withStartupTimeout(startupMilliseconds)
    .start();
  started.push(running);
  return running;
}

async function postgres(): Promise<string> {
  const flush = isDurable ? 'on' : 'off';
  const settings = {
    max_connections: 200,
    shared_buffers: '256MB',
    timezone: 'UTC',
    fsync: flush,
    full_page_writes: flush,
  };
  const running = await start(
    new GenericContainer(images.postgres)
      .withEnvironment({ POSTGRES_PASSWORD: passwords.postgres })
      .withCommand(['postgres', ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])])
      .withSharedMemorySize(268_435_456)
      .withExposedPorts(5432),
  );
  const url = `postgresql://postgres:${passwords.postgres}@127.0.0.1:${running.getMappedPort(5432)}/postgres`;
  await until(() => acceptsConnections(url), 'PostgreSQL does not answer');
  return url;
}

/** The broker has to know before it starts where it is reached, so this port is chosen here. */
async function kafka(): Promise<string[]> {
  const port = await freePort();
  await start(
    new GenericContainer(images.kafka)
      .withEnvironment({
        CLUSTER_ID: 'Y2FyYXZhbi10ZXN0cy0wMQ',
        KAFKA_NODE_ID: '1',
        KAFKA_PROCESS_ROLES: 'broker,controller',
        KAFKA_CONTROLLER_QUORUM_VOTERS: '1@localhost:9093',
        KAFKA_LISTENERS: 'PLAINTEXT://:9092,CONTROLLER://:9093',
        KAFKA_ADVERTISED_LISTENERS: `PLAINTEXT://127.0.0.1:${port}`,
        KAFKA_CONTROLLER_LISTENER_NAMES: 'CONTROLLER',
        KAFKA_LISTENER_SECURITY_PROTOCOL_MAP: 'PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT',
        KAFKA_AUTO_CREATE_TOPICS_ENABLE: 'false',
        KAFKA_OFFSETS_TOPIC_REPLICATION_FACTOR: '1',
        KAFKA_TRANSACTION_STATE_LOG_REPLICATION_FACTOR: '1',
        KAFKA_TRANSACTION_STATE_LOG_MIN_ISR: '1',
        KAFKA_GROUP_INITIAL_REBALANCE_DELAY_MS: '0',
        KAFKA_LOG_DIRS: '/var/lib/kafka/data',
      })
      .withExposedPorts({ container: 9092, host: port }),
  );
  return [`127.0.0.1:${port}`];
}

async function redis(): Promise<string> {
  const running = await start(
    new GenericContainer(images.redis)
      .withCommand(['redis-server', '--save', '', '--maxmemory-policy', 'noeviction', '--requirepass', passwords.redis])
      .withExposedPorts(6379),
  );
  return `redis://:${passwords.redis}@127.0.0.1:${running.getMappedPort(6379)}`;
}

async function objects() {
  const running = await start(
    new GenericContainer(images.s3)
      .withEnvironment({ S3_ACCESS_KEY: s3.accessKey, S3_SECRET_KEY: s3.secretKey, S3_BUCKET: bucket })
      .withExposedPorts(9000),
  );
  return { endpoint: `http://127.0.0.1:${running.getMappedPort(9000)}`, bucket, region, ...s3 };
}

// Until it is asked to stop.
const staying = setInterval(() => undefined, 60_000);

async function stop(): Promise<never> {
  clearInterval(staying);
  await Promise.allSettled(started.map((container) => container.stop({ timeout: 1_000 })));
  process.exit();
}
process.once('SIGTERM', () => void stop());

const [postgresAdmin, brokers, redisUrl, store] = await Promise.all([postgres(), kafka(), redis(), objects()]);
writeFileSync(`${readyFile}.part`, JSON.stringify({ postgresAdmin, kafka: brokers, redis: redisUrl, s3: store }), {
  mode: 0o600,
});
renameSync(`${readyFile}.part`, readyFile);
