import { createPool } from '@caravan/event-store/postgres/connections';
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
import type { ConsumerSettings } from './consumer/batch-worker.ts';
import type { LostGroup } from './consumer/consumers-watch.ts';
import { KafkaBatchServer } from './consumer/kafka-batch-server.ts';
import { KafkaClient, type KafkaEnv, kafkaOf } from './kafka/kafka-client.ts';
import type { Kafka, KafkaSettings } from './kafka/kafka-port.ts';
import { createKafka } from './kafka/kafka.ts';
import { countInto, type MessagingMetrics } from './kafka/metrics.ts';
import { Positions, WaitForPositionsGuard } from './freshness/positions.ts';
import { Relay, type RelaySettings } from './relay/relay.ts';
import { type MessagingState, registerProgress, registerState, stateOf } from './operator/state-metrics.ts';

/** The parts that relay and consumers share. */
type Tools = {
  readonly kafka: Kafka;
  readonly log: Log;
  readonly metrics: MessagingMetrics;
  readonly background: BackgroundWork;
};
/** Fails within seconds while Kafka does not answer. */
type QuickKafka = Pick<Kafka, 'endOffsets' | 'describeGroups'>;
type Env = KafkaEnv & Pick<ServiceEnv, 'DATABASE_URL' | 'READ_WAIT_MILLISECONDS'>;

export type MessagingSettings = {
  readonly kafka?: Omit<KafkaSettings, 'brokers' | 'clientId' | 'prefix'>;
  readonly relay?: RelaySettings;
  readonly consumer?: ConsumerSettings;
  readonly watchEveryMs?: number;
};

const Tools = Symbol('MessagingTools');
const ConsumerPool = Symbol('ConsumerPool');
const RelayPool = Symbol('RelayPool');
const QuickKafka = Symbol('QuickKafka');
const State = Symbol('MessagingState');
const StateMetrics = Symbol('StateMetrics');

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
        { provide: Tools, useFactory: toolsOf, inject: [KafkaClient, Log, Metrics, BackgroundWork] },
        { provide: QuickKafka, useFactory: quickKafka, inject: [KafkaClient, Dependencies] },
        { provide: Positions, useFactory: openPositions(env), inject: [Pool, Metrics] },
        { provide: Relay, useFactory: openRelay(env, settings), inject: [RelayPool, Tools, Commits] },
        {
          provide: KafkaBatchServer,
          useFactory: openServer(settings),
          inject: [ConsumerPool, Tools, Positions, QuickKafka],
        },
        { provide: State, useFactory: readState, inject: [ConsumerPool, QuickKafka, KafkaBatchServer, Relay] },
        { provide: StateMetrics, useFactory: showState, inject: [Metrics, State, KafkaBatchServer] },
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

function toolsOf(kafka: Kafka, log: Log, metrics: Metrics, background: BackgroundWork): Tools {
  return { kafka, log, metrics: countInto(metrics), background };
}

function quickKafka(kafka: Kafka, dependencies: Dependencies): QuickKafka {
  const broker = dependencies.of({ name: 'kafka', budgetMilliseconds: askMilliseconds, failures: 1 });
  return {
    endOffsets: (topics) => broker.call(() => kafka.endOffsets(topics)),
    describeGroups: (groups) => broker.call(() => kafka.describeGroups(groups)),
  };
}

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
  (pool: Pool, tools: Tools, commits: Commits) => {
    const relay = new Relay({ ...tools, service: env.SERVICE_NAME, pool, settings });
    commits.subscribe(() => relay.notify());
    return relay;
  };

const openServer =
  ({ consumer: settings = {}, watchEveryMs }: MessagingSettings) =>
  (pool: Pool, { background, ...tools }: Tools, positions: Positions, kafka: QuickKafka) => {
    const onLost = ({ group, reason }: LostGroup) => {
      tools.log.fatal(
        { group, reason },
        'consumer: new clients did not help, so this process ends to be started again',
      );
      endToStartAgain(`consumer group ${group} is lost`);
    };
    const watched = { kafka, background, everyMs: watchEveryMs, onLost };
    return new KafkaBatchServer({ ...tools, pool, positions, settings, watched });
  };

function readState(pool: Pool, kafka: QuickKafka, server: KafkaBatchServer, relay: Relay): MessagingState {
  return stateOf(
    pool,
    kafka,
    () => server.groups,
    () => relay.allCursors(),
  );
}

function showState(metrics: Metrics, state: MessagingState, server: KafkaBatchServer): void {
  registerState(metrics, state);
  registerProgress(metrics, () => server.withoutProgress);
}
