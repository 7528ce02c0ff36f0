import { randomBytes } from '@caravan/contracts/testing/seeded';
import { Dependencies } from '@caravan/service-kit/process/dependency';
import { parseEnv } from '@caravan/service-kit/process/env';
import { Metrics } from '@caravan/service-kit/telemetry/metrics';
import { closeRedis, createRedis, isRedisReady } from '@caravan/service-kit/storage/redis';
import type { ApiClient } from '@caravan/service-kit/testing/api-client';
import { asPeer } from '@caravan/service-kit/testing/peer';
import { testServers } from '@caravan/service-kit/testing/servers';
import { testEnv } from '@caravan/service-kit/testing/service';
import { answerConsent } from '@caravan/simulators/consent';
import { startGoogleHealth } from '@caravan/simulators/google-health/google-health';
import { startStrava } from '@caravan/simulators/strava/strava';
import { integrationsEnvSchema } from '../env.ts';
import type { Provider } from '../providers/provider.ts';
import { Providers } from '../providers/providers.service.ts';

export const webhookSettings = {
  STRAVA_WEBHOOK_SECRET: 'secret-of-the-path-of-strava-under-test',
  STRAVA_SUBSCRIPTION_ID: '120475',
  GOOGLE_HEALTH_WEBHOOK_SECRET: 'Bearer-secret-of-google-health-under-test',
  FITBIT_CLIENT_SECRET: 'secret-of-the-app-at-fitbit',
};

export const redirectUri = 'https://caravan.test/api/fitness/strava/callback';

/** Both platforms, simulated, and the settings by which a service under test finds them. */
export async function startPlatforms(options: { now?: () => number } = {}) {
  const [strava, google] = await Promise.all([
    startStrava({ pauseMilliseconds: 10, ...options }),
    startGoogleHealth({ pauseMilliseconds: 10, ...options }),
  ]);
  strava.subscription = { url: 'http://127.0.0.1:9/', id: Number(webhookSettings.STRAVA_SUBSCRIPTION_ID) };
  const env: Record<string, string> = { ...strava.env, ...google.env, ...webhookSettings };
  return { strava, google, env, close: () => Promise.all([strava.close(), google.close()]) };
}

/** The platforms as the service asks them, beside what it counts. */
export async function providersOf(settings: Readonly<Record<string, string>>) {
  const usual = testEnv('integrations', 'postgres://nobody/');
  const key = { PROVIDER_TOKEN_KEY: Buffer.alloc(32).toString('base64') };
  const env = parseEnv(integrationsEnvSchema, { ...usual, ...key, ...settings });
  const metrics = new Metrics('integrations', { hasProcessMetrics: false });
  const redis = createRedis({
    url: testServers().redis,
    name: 'providers',
    prefix: `t:${randomBytes(5).toString('hex')}:`,
  });
  await isRedisReady(redis);
  const providers = new Providers(env, redis, new Dependencies(metrics), metrics);
  return { providers, redis, metrics, close: () => closeRedis(redis) };
}

/** Somebody who has allowed all that was asked. */
export async function connectPerson(provider: Provider, person: string) {
  const verifier = randomBytes(32).toString('base64url');
  const challenge = Buffer.from(await crypto.subtle.digest('SHA-256', Buffer.from(verifier))).toString('base64url');
  const back = await answerConsent(provider.authorizeUrl({ state: 'state', challenge, redirectUri }), { person });
  const [code = '', scope = ''] = ['code', 'scope'].map((name) => back.searchParams.get(name) ?? '');
  return provider.exchange({ code, verifier, redirectUri, scope });
}

/** As a person does who says yes on the platform's page, with the service and the browser that came from it. */
export async function connectThere(
  { url, api }: { readonly url: string; readonly api: ApiClient },
  provider: 'strava' | 'fitbit',
  person: string,
): Promise<void> {
  const { body, headers } = await api.get<{ authUrl: string }>(`/api/fitness/${provider}/auth?scored=true`);
  const back = await answerConsent(body.authUrl, { person });
  const cookie = (headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  const answer = await fetch(`${url}/api/fitness/${provider}/callback${back.search}`, {
    redirect: 'manual',
    headers: { ...asPeer, cookie },
  });
  const location = answer.headers.get('location') ?? '';
  if (!location.includes('connected')) throw new Error(`${provider} was not connected: ${location}`);
}
