import { keysDependency, RemoteKeys } from '@caravan/auth/jwks';
import { RedisSessionCache } from '@caravan/auth/session-cache';
import { remoteSessions, SessionLiveness, sessionsDependency } from '@caravan/auth/session-liveness';
import { TokenVerifier } from '@caravan/auth/token-verifier';
import { Dependencies } from '@caravan/service-kit/dependency';
import { drainOf } from '@caravan/service-kit/ending';
import { Health } from '@caravan/service-kit/health.controller';
import { Limits } from '@caravan/service-kit/limits';
import { createLog, type Log } from '@caravan/service-kit/log';
import { Metrics, serveMetrics } from '@caravan/service-kit/metrics';
import { closeRedis, createRedis, createSubscriber, type Redis, redisDependency } from '@caravan/service-kit/redis';
import { ServiceCredential } from '@caravan/service-kit/service-credential';
import { bucketUrlOf } from '@caravan/service-kit/storage-address';
import { startTracing } from '@caravan/service-kit/tracing';
import type { GatewayEnv } from './env.ts';
import { AdmissionControl } from './admission-control.ts';
import { LiveHub } from './live/hub.ts';
import { OpenPages } from './live/open-pages.ts';
import { notedMilliseconds, RedisChannels } from './redis-channels.ts';
import { apiHeaders, pageHeaders } from './security-headers.ts';
import { createServer } from './server.ts';
import { SharedPositions } from './shared-positions.ts';
import { Uploads } from './uploads.ts';
import { countFiles, readScriptHashes, serveWebApp } from './web-files.ts';

/** `close` lets requests in flight finish, 10 s at most. */
export type Gateway = {
  readonly url: string;
  readonly metricsUrl: string | undefined;
  readonly close: () => Promise<void>;
};

export async function startGateway(env: GatewayEnv, heartbeatMilliseconds = 25_000): Promise<Gateway> {
  const log = createLog({ service: 'gateway', level: env.LOG_LEVEL });
  const tracing = await startTracing('gateway', env.OTEL_EXPORTER_OTLP_ENDPOINT);
  const credential = new ServiceCredential(env.SERVICE_CREDENTIAL);
  const [metrics, health] = [new Metrics('gateway'), new Health()];
  const dependencies = new Dependencies(metrics);
  const shared = connect(env, { credential, dependencies, log });
  const { hub, positions, sessions } = shared;
  const pages = new OpenPages(hub, sessions, heartbeatMilliseconds);
  const admission = admissionOf(env, { ...shared, dependencies });
  const app = createServer({
    ...{ admission, pages },
    positions,
    uploads: new Uploads(bucketUrlOf(placeOf(env, env.S3_ENDPOINT))),
    services: servicesOf(env),
    headers: apiHeaders(isHttps(env)),
    trustedProxies: env.TRUSTED_PROXIES,
    publicUrl: env.PUBLIC_URL,
    credential,
    log,
    ...{ metrics, health },
    dependencies,
  });
  const drain = drainOf(app);
  app.addHook('onRequest', countFiles(admission));
  await serveWebApp(app, env.WEB_ROOT, headersOfPages(env));
  const figures = await serveFigures(metrics, pages, env);
  const url = await app.listen({ host: env.HOST, port: env.PORT });
  health.enter('running');
  log.info({ url }, 'gateway is ready');
  const close = async () => {
    health.enter('stopping');
    pages.closeAll();
    await drain();
    figures?.close();
    await Promise.all([shared.close(), tracing.close()]);
  };
  return { url, metricsUrl: figures?.url, close };
}

type AdmissionParts = { sessions: SessionLiveness; redis: Redis; dependencies: Dependencies };

function admissionOf(env: GatewayEnv, { sessions, redis, dependencies }: AdmissionParts): AdmissionControl {
  const rules = { issuer: env.JWT_ISSUER, audience: env.JWT_AUDIENCE };
  const keys = new RemoteKeys(env.JWKS_URL, { dependency: dependencies.of(keysDependency) });
  return new AdmissionControl(new TokenVerifier(rules, keys), sessions, new Limits(redis), {
    perAccount: env.LIMIT_PER_ACCOUNT_PER_MINUTE,
    perAddress: env.LIMIT_PER_ADDRESS_PER_MINUTE,
    filesPerAddress: env.LIMIT_FILES_PER_ADDRESS_PER_MINUTE,
    deliveriesPerAddress: env.LIMIT_DELIVERIES_PER_ADDRESS_PER_MINUTE,
  });
}

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

type Shared = { credential: ServiceCredential; dependencies: Dependencies; log: Log };

function connect(env: GatewayEnv, { credential, dependencies, log }: Shared) {
  const settings = { url: env.REDIS_URL, prefix: env.REDIS_PREFIX, log };
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
  const noting = setInterval(() => hub.noteAll(), notedMilliseconds / 3).unref();
  const looking = setInterval(() => void channels.look(positions), lookMilliseconds).unref();
  const listening = [
    sessions.listen(),
    cache.onEnded((sessionId) => hub.endSession(sessionId)),
    channels.listen(positions, hub),
  ];
  Promise.all(listening).catch((error: unknown) => log.error({ err: error }, 'not listening to Redis'));
  const close = async () => {
    clearInterval(noting);
    clearInterval(looking);
    await channels.look(positions);
    return Promise.all([redis, endings, changes].map(closeRedis));
  };
  return { hub, positions, sessions, redis, close };
}

async function serveFigures(metrics: Metrics, pages: OpenPages, { METRICS_PORT: port, HOST: host }: GatewayEnv) {
  metrics.gauge({
    name: 'caravan_open_pages',
    help: 'Pages that hear of changes.',
    collect: (gauge) => gauge.set(pages.count),
  });
  return port === undefined ? undefined : serveMetrics(metrics, { host, port });
}
