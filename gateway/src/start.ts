import { keysDependency, RemoteKeys } from '@caravan/auth/jwks';
import { RefusedTokens } from '@caravan/auth/refused-tokens';
import { RedisSessionCache } from '@caravan/auth/session-cache';
import { remoteSessions, SessionLiveness, sessionsDependency } from '@caravan/auth/session-liveness';
import { TokenVerifier } from '@caravan/auth/token-verifier';
import { BackgroundWork } from '@caravan/service-kit/telemetry/background-work';
import { Dependencies } from '@caravan/service-kit/process/dependency';
import { type Ending, endingOf } from '@caravan/service-kit/process/ending';
import { GatewayPresence } from '@caravan/service-kit/storage/gateway-presence';
import { Health } from '@caravan/service-kit/http/health.controller';
import { Limits } from '@caravan/service-kit/storage/limits';
import { createLog, type Log } from '@caravan/service-kit/telemetry/log';
import { serveMetrics } from '@caravan/service-kit/http/metrics-server';
import { Metrics } from '@caravan/service-kit/telemetry/metrics';
import {
  closeRedis,
  createRedis,
  createSubscriber,
  type Redis,
  redisDependency,
} from '@caravan/service-kit/storage/redis';
import { Repeating } from '@caravan/service-kit/process/repeating';
import { ServiceCredential } from '@caravan/service-kit/http/service-credential';
import { bucketUrlOf } from '@caravan/service-kit/storage/storage-address';
import { startTracing } from '@caravan/service-kit/telemetry/tracing';
import { UploadAddresses } from '@caravan/service-kit/storage/upload-address';
import type { GatewayEnv } from './env.ts';
import { AdmissionControl } from './admission/admission-control.ts';
import { Connections } from './admission/connections.ts';
import { DemoNotice } from './web/demo-notice.ts';
import { LiveHub } from './live/hub.ts';
import { OpenPages } from './live/open-pages.ts';
import { notedMilliseconds, RedisChannels } from './live/redis-channels.ts';
import { RequestBodies } from './admission/request-bodies.ts';
import type { DeclaredRoute } from './admission/route-access.ts';
import { apiHeaders, pageHeaders } from './web/security-headers.ts';
import { createServer } from './server.ts';
import { SharedPositions } from './routing/shared-positions.ts';
import { Uploads } from './uploads/uploads.ts';
import { countFiles, readScriptHashes, serveWebApp } from './web/web-files.ts';

/** `close` lets requests in flight finish, 10 s at most. */
export type Gateway = {
  readonly url: string;
  readonly metricsUrl: string | undefined;
  /** Sends open pages to other gateways, and answers until callers have left. Before `close`, where others take over. */
  readonly leave: () => Promise<void>;
  /** Values of this process, grouped by who may ask for them. */
  readonly routes: { all(): DeclaredRoute[] };
  readonly close: () => Promise<void>;
};

export async function startGateway(env: GatewayEnv, heartbeatMilliseconds = 25_000): Promise<Gateway> {
  const log = createLog({ service: 'gateway', level: env.LOG_LEVEL });
  const tracing = await startTracing('gateway', env.OTEL_EXPORTER_OTLP_ENDPOINT);
  const credential = new ServiceCredential(env.SERVICE_CREDENTIAL);
  const { metrics, background, health, dependencies } = recordsOf('gateway');
  const shared = connect(env, { credential, dependencies, log, background });
  const { hub, positions, sessions } = shared;
  const pages = new OpenPages(hub, sessions, heartbeatMilliseconds);
  const admission = admissionOf(env, { ...shared, dependencies, refusedTokens: new RefusedTokens(log, metrics) });
  const connections = new Connections(connectionLimitsOf(env), { log, metrics });
  const { app, routes } = createServer({
    connections,
    admission,
    pages,
    bodies: new RequestBodies(bodyLimitsOf(env), metrics),
    positions,
    uploads: new Uploads(bucketUrlOf(placeOf(env, env.S3_ENDPOINT))),
    uploadAddresses: new UploadAddresses(env.SERVICE_CREDENTIAL),
    services: servicesOf(env),
    headers: apiHeaders(isHttps(env)),
    trustedProxies: env.TRUSTED_PROXIES,
    publicUrl: env.PUBLIC_URL,
    credential,
    log,
    metrics,
    health,
    dependencies,
  });
  connections.watch(app.server);
  const ending = endingOf(app);
  app.addHook('onRequest', countFiles(admission));
  const notice = new DemoNotice(shared.redis, background);
  notice.start();
  await serveWebApp(app, env.WEB_ROOT, headersOfPages(env), notice);
  const figures = await serveFigures(metrics, pages, env);
  const url = await app.listen({ host: env.HOST, port: env.PORT });
  health.enter('running');
  const presence = keepShowing(shared.redis, background);
  log.info({ url }, 'gateway is ready');
  const ends = endsOf({ health, pages, ending }, async () => {
    await Promise.all([presence.stop(), notice.stop()]);
    figures?.close();
    await Promise.all([shared.close(), tracing.close()]);
  });
  return { url, metricsUrl: figures?.url, routes, ...ends };
}

function endsOf(
  { health, pages, ending }: { health: Health; pages: OpenPages; ending: Ending },
  closeRest: () => Promise<void>,
): Pick<Gateway, 'leave' | 'close'> {
  const stop = () => {
    health.enter('stopping');
    pages.closeAll();
  };
  return {
    leave: async () => {
      stop();
      await ending.leave();
    },
    close: async () => {
      stop();
      await ending.drain();
      await closeRest();
    },
  };
}

function recordsOf(name: string) {
  const metrics = new Metrics(name);
  const background = new BackgroundWork(metrics);
  return { metrics, background, health: new Health(background), dependencies: new Dependencies(metrics) };
}

type AdmissionParts = {
  sessions: SessionLiveness;
  redis: Redis;
  dependencies: Dependencies;
  refusedTokens: RefusedTokens;
};

function admissionOf(
  env: GatewayEnv,
  { sessions, redis, dependencies, refusedTokens }: AdmissionParts,
): AdmissionControl {
  const rules = { issuer: env.JWT_ISSUER, audience: env.JWT_AUDIENCE };
  const keys = new RemoteKeys(env.JWKS_URL, { dependency: dependencies.of(keysDependency) });
  return new AdmissionControl(
    { tokens: new TokenVerifier(rules, keys), sessions, limits: new Limits(redis), refusedTokens },
    {
      perAccount: env.LIMIT_PER_ACCOUNT_PER_MINUTE,
      perAddress: env.LIMIT_PER_ADDRESS_PER_MINUTE,
      filesPerAddress: env.LIMIT_FILES_PER_ADDRESS_PER_MINUTE,
      deliveriesPerAddress: env.LIMIT_DELIVERIES_PER_ADDRESS_PER_MINUTE,
      writesFactor: env.LIMIT_WRITES_FACTOR,
    },
  );
}

const bodyLimitsOf = (env: GatewayEnv) => ({
  unfinished: env.LIMIT_UNFINISHED_BODIES,
  unfinishedPerAddress: env.LIMIT_UNFINISHED_BODIES_PER_ADDRESS,
  heldBytes: env.LIMIT_UNFINISHED_MEGABYTES * 1024 * 1024,
});

const connectionLimitsOf = (env: GatewayEnv) => ({
  open: env.LIMIT_CONNECTIONS,
  openPerAddress: env.LIMIT_CONNECTIONS_PER_ADDRESS,
  trustedProxies: env.TRUSTED_PROXIES,
});

const isHttps = ({ PUBLIC_URL: url }: GatewayEnv) => url.startsWith('https:');

function headersOfPages(env: GatewayEnv): Record<string, string> {
  const storageOrigin = env.S3_PUBLIC_URL && new URL(bucketUrlOf(placeOf(env, env.S3_PUBLIC_URL))).origin;
  return pageHeaders({ scriptHashes: readScriptHashes(env.WEB_ROOT), isHttps: isHttps(env), storageOrigin });
}

const placeOf = (env: GatewayEnv, endpoint: string) => ({
  endpoint,
  bucket: env.S3_BUCKET,
  isPathStyle: env.S3_PATH_STYLE,
});

const servicesOf = (env: GatewayEnv) => ({
  identity: env.IDENTITY_URL,
  activity: env.ACTIVITY_URL,
  scoring: env.SCORING_URL,
  social: env.SOCIAL_URL,
  integrations: env.INTEGRATIONS_URL,
});

/** As long as what members wrote may be unknown to a gateway that comes after this one ended of a sudden. */
const lookMilliseconds = 1_000;

type Shared = { credential: ServiceCredential; dependencies: Dependencies; log: Log; background: BackgroundWork };

function connect(env: GatewayEnv, { credential, dependencies, log, background }: Shared) {
  const settings = { url: env.REDIS_URL, prefix: env.REDIS_PREFIX, log, background };
  const redis = createRedis({ ...settings, name: 'gateway', dependency: dependencies.of(redisDependency) });
  const endings = createSubscriber({ ...settings, name: 'ended-sessions' });
  const changes = createSubscriber({ ...settings, name: 'live' });
  const cache = new RedisSessionCache(redis, endings);
  const channels = new RedisChannels(redis, changes);
  const hub = new LiveHub(channels);
  const positions = new SharedPositions(channels, Date.now);
  const sessions = new SessionLiveness(
    cache,
    remoteSessions(env.IDENTITY_URL, credential, dependencies.of(sessionsDependency)),
  );
  const repeated = repeatedWork(background, { hub, channels, positions });
  for (const each of repeated) each.start();
  const listening = [
    sessions.listen(),
    cache.onEnded((sessionId) => hub.endSession(sessionId)),
    channels.listen(positions, hub),
  ];
  Promise.all(listening).catch((error: unknown) => log.error({ err: error }, 'not listening to Redis'));
  const close = async () => {
    await Promise.all(repeated.map((each) => each.stop()));
    await channels.look(positions).catch(() => undefined);
    return Promise.all([redis, endings, changes].map(closeRedis));
  };
  return { hub, positions, sessions, redis, close };
}

const presenceMilliseconds = 5_000;

/** Tells services that deliveries from outside can arrive, until it is stopped. */
function keepShowing(redis: Redis, background: BackgroundWork): Repeating {
  const presence = new GatewayPresence(redis);
  const shown = new Repeating({
    background,
    name: 'gateway.presence',
    everyMilliseconds: presenceMilliseconds,
    work: () => presence.show(),
  });
  shown.start();
  shown.run();
  return shown;
}

type Repeated = { hub: LiveHub; channels: RedisChannels; positions: SharedPositions };

const repeatedWork = (background: BackgroundWork, { hub, channels, positions }: Repeated): Repeating[] => [
  new Repeating({
    background,
    name: 'gateway.open-pages',
    everyMilliseconds: notedMilliseconds / 3,
    work: () => hub.noteAll(),
  }),
  new Repeating({
    background,
    name: 'gateway.positions',
    everyMilliseconds: lookMilliseconds,
    work: () => channels.look(positions),
  }),
];

async function serveFigures(metrics: Metrics, pages: OpenPages, { METRICS_PORT: port, HOST: host }: GatewayEnv) {
  metrics.gauge({
    name: 'caravan_open_pages',
    help: 'Pages that hear of changes.',
    collect: (gauge) => gauge.set(pages.count),
  });
  return port === undefined ? undefined : serveMetrics(metrics, { host, port });
}
