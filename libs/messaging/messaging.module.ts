import { createPool } from '@caravan/event-store/postgres';
import { BackgroundWork } from '@caravan/service-kit/telemetry/background-work';
import { Commits } from '@caravan/service-kit/storage/commits';
import { Dependencies } from '@caravan/service-kit/process/dependency';
import { endToStartAgain } from '@caravan/service-kit/process/ending';
import type { ServiceEnv } from '@caravan/service-kit/process/env';
import { Log } from '@caravan/service-kit/telemetry/log';
import { Metrics } from '@caravan/service-kit/telemetry/metrics';
import { Pool } from '@caravan/service-kit/storage/pool';
import {
  type DynamicModule,
  Inject,
  Injectable,
  Module,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import type { ConsumerSettings } from './batch-worker.ts';
import type { LostGroup } from './consumers-watch.ts';
import { KafkaBatchServer } from './kafka-batch-server.ts';
import type { Kafka, KafkaSettings } from './kafka-port.ts';
import { createKafka } from './kafka.ts';
import { countInto, type MessagingMetrics, registerProgress, registerState, stateOf } from './metrics.ts';
import { Positions, WaitForPositionsGuard } from './positions.ts';
import { Relay, type RelaySettings } from './relay.ts';

type Tools = { readonly kafka: Kafka; readonly log: Log; readonly metrics: MessagingMetrics };
export type KafkaEnv = Pick<ServiceEnv, 'SERVICE_NAME' | 'KAFKA_BROKERS' | 'TOPIC_PREFIX' | 'TOPIC_PARTITIONS_MAX'>;
type Env = KafkaEnv & Pick<ServiceEnv, 'DATABASE_URL' | 'READ_WAIT_MILLISECONDS'>;

export type MessagingSettings = {
  readonly kafka?: Omit<KafkaSettings, 'brokers' | 'clientId' | 'prefix'>;
  readonly relay?: RelaySettings;
  readonly consumer?: ConsumerSettings;
  readonly watchEveryMs?: number;
};

/** Injection token of the service's `Kafka`. */
export const KafkaClient = Symbol('KafkaClient');
const Tools = Symbol('MessagingTools');
const ConsumerPool = Symbol('ConsumerPool');
const RelayPool = Symbol('RelayPool');

type ServerParts = [Pool, Tools, Positions, Metrics, Dependencies, Relay, BackgroundWork];

const askMilliseconds = 3_000;

// Of their own, so that a rush of requests does not starve the consumers, nor they the requests.
const consumerConnections = 4;

// Equals the relay's `idle_session_timeout`; the relay sends a query four times as often.
const relaySilenceMilliseconds = 10_000;

/** Ends the relay last, so that what the last requests and batches committed leaves too. */
@Injectable()
class RelayRun implements OnApplicationBootstrap, OnApplicationShutdown {
  constructor(
    @Inject(Relay) private readonly relay: Relay,
    @Inject(KafkaClient) private readonly kafka: Kafka,
    @Inject(ConsumerPool) private readonly consumerPool: Pool,
    @Inject(RelayPool) private readonly relayPool: Pool,
  ) {}

  onApplicationBootstrap(): void {
    this.relay.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.relay.stop();
    await Promise.all([this.kafka.close(), this.consumerPool.end(), this.relayPool.end()]);
  }
}

/** Relay, consumers and read-your-writes of a service; comes after `ServiceKitModule` and `AuthModule`. */
@Module({})
export class MessagingModule {
  static forRoot(env: Env, settings: MessagingSettings = {}): DynamicModule {
    return {
      module: MessagingModule,
      global: true,
      providers: [
        { provide: KafkaClient, useFactory: (log: Log) => openKafka(env, settings, log), inject: [Log] },
        { provide: ConsumerPool, useFactory: () => createPool(env.DATABASE_URL, { max: consumerConnections }) },
        {
          provide: RelayPool,
          useFactory: () => createPool(env.DATABASE_URL, { max: 1, silenceMilliseconds: relaySilenceMilliseconds }),
        },
        { provide: Tools, useFactory: toolsOf, inject: [KafkaClient, Log, Metrics] },
        { provide: Positions, useFactory: openPositions(env), inject: [Pool, Metrics] },
        { provide: Relay, useFactory: openRelay(env, settings), inject: [RelayPool, Tools, Commits, BackgroundWork] },
        {
          provide: KafkaBatchServer,
          useFactory: openServer(settings),
          inject: [ConsumerPool, Tools, Positions, Metrics, Dependencies, Relay, BackgroundWork],
        },
        { provide: APP_GUARD, useClass: WaitForPositionsGuard },
        RelayRun,
      ],
      exports: [KafkaClient, KafkaBatchServer, Positions, Relay],
    };
  }
}

function openKafka(env: Env, settings: MessagingSettings, log: Log): Kafka {
  return createKafka({ ...settings.kafka, ...kafkaOf(env) }, log);
}

/** How a service of these settings reaches Kafka. */
export const kafkaOf = (env: KafkaEnv): KafkaSettings => ({
  clientId: env.SERVICE_NAME,
  brokers: env.KAFKA_BROKERS,
  prefix: env.TOPIC_PREFIX,
  mostPartitions: env.TOPIC_PARTITIONS_MAX,
});

const toolsOf = (kafka: Kafka, log: Log, metrics: Metrics): Tools => ({ kafka, log, metrics: countInto(metrics) });

const openPositions = (env: Env) => (pool: Pool, metrics: Metrics) => {
  const positions = new Positions({ service: env.SERVICE_NAME, pool, waitMs: env.READ_WAIT_MILLISECONDS });
  metrics.gauge({
    name: 'caravan_silent_sources',
    help: 'Services whose facts reach a consumer group no more: readers are answered without waiting for them.',
    labels: ['group', 'source'],
    collect: (gauge) => {
      gauge.reset();
      for (const { group, service: source } of positions.silentSources) gauge.set({ group, source }, 1);
    },
  });
  return positions;
};

const openRelay =
  (env: Env, { relay: settings = {} }: MessagingSettings) =>
  (pool: Pool, tools: Tools, commits: Commits, background: BackgroundWork) => {
    const relay = new Relay({ ...tools, service: env.SERVICE_NAME, pool, background, settings });
    commits.subscribe(() => relay.notify());
    return relay;
  };

const openServer =
  ({ consumer: settings = {}, watchEveryMs }: MessagingSettings) =>
  (...[pool, tools, positions, metrics, dependencies, relay, background]: ServerParts) => {
    const broker = dependencies.of({ name: 'kafka', budgetMilliseconds: askMilliseconds, failures: 1 });
    const kafka: Pick<Kafka, 'endOffsets' | 'describeGroups'> = {
      endOffsets: (topics) => broker.call(() => tools.kafka.endOffsets(topics)),
      describeGroups: (groups) => broker.call(() => tools.kafka.describeGroups(groups)),
    };
    const onLost = ({ group, reason }: LostGroup) => {
      tools.log.fatal(
        { group, reason },
        'consumer: new clients did not help, so this process ends to be started again',
      );
      endToStartAgain(`consumer group ${group} is lost`);
    };
    const watched = { kafka, background, everyMs: watchEveryMs, onLost };
    const server = new KafkaBatchServer({ ...tools, pool, positions, settings, watched });
    registerState(
      metrics,
      stateOf(
        pool,
        kafka,
        () => server.groups,
        () => relay.allCursors(),
      ),
    );
    registerProgress(metrics, () => server.withoutProgress);
    return server;
  };
