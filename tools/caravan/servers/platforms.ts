import { join } from 'node:path';
import type { SimulatorsSettings } from '@caravan/simulators/settings';
import { env } from '../process/env.ts';
import type { Secrets } from './instance-files.ts';
import { bundleOf, type InstanceDir } from '../process/paths.ts';
import { answers, portNear } from '../process/ports.ts';
import type { Supervisor } from '../process/supervisor.ts';

/** Where platforms are simulated; of one whose app the surroundings name there is none. */
export type PlatformAddresses = { strava?: string | undefined; googleHealth?: string | undefined };

type Apps = Pick<Secrets, 'simulatedApps'>;

const clientId = '4711';
const subscriptionId = 120_475;

export async function platformAddresses(gatewayPort: number): Promise<PlatformAddresses> {
  const at = async (offset: number) => `http://127.0.0.1:${await portNear(gatewayPort + offset)}`;
  return {
    ...(!env.hasAppAt.strava && { strava: await at(2) }),
    ...(!env.hasAppAt.googleHealth && { googleHealth: await at(3) }),
  };
}

/** What integrations is told of them. */
export const simulatedSettings = ({ strava, googleHealth }: PlatformAddresses, { simulatedApps }: Apps) => ({
  ...(strava !== undefined && {
    STRAVA_CLIENT_ID: clientId,
    STRAVA_CLIENT_SECRET: simulatedApps,
    STRAVA_WEBHOOK_SECRET: simulatedApps,
    STRAVA_SUBSCRIPTION_ID: String(subscriptionId),
    STRAVA_AUTHORIZE_URL: `${strava}/oauth/authorize`,
    STRAVA_OAUTH_URL: `${strava}/oauth`,
    STRAVA_API_URL: `${strava}/api/v3`,
  }),
  ...(googleHealth !== undefined && {
    GOOGLE_HEALTH_CLIENT_ID: clientId,
    GOOGLE_HEALTH_CLIENT_SECRET: simulatedApps,
    GOOGLE_HEALTH_WEBHOOK_SECRET: simulatedApps,
    GOOGLE_HEALTH_AUTHORIZE_URL: `${googleHealth}/o/oauth2/v2/auth`,
    GOOGLE_HEALTH_OAUTH_URL: googleHealth,
    GOOGLE_HEALTH_API_URL: `${googleHealth}/v4`,
    GOOGLE_HEALTH_KEYS_URL: `${googleHealth}/googlehealthapi/webhooks/webhooks_public_keyset.json`,
    FITBIT_API_URL: googleHealth,
  }),
});

type Addresses = { readonly url: string; readonly platforms: PlatformAddresses };

/** Starts what stands for the platforms; people and workouts are kept with the data. */
export async function startSimulators(
  supervisor: Pick<Supervisor, 'start'>,
  instanceDir: InstanceDir,
  { url, platforms: { strava, googleHealth } }: Addresses,
  { simulatedApps: clientSecret }: Apps,
): Promise<void> {
  const folder = join(instanceDir.data, 'platforms');
  const app = (address: string) => ({ port: Number(new URL(address).port), clientId, clientSecret });
  const webhooks = `${url}/api/webhooks`;
  const settings: SimulatorsSettings = {
    folder,
    callbackOrigin: url,
    ...(strava !== undefined && {
      strava: { ...app(strava), subscription: { url: `${webhooks}/strava/${clientSecret}`, id: subscriptionId } },
    }),
    ...(googleHealth !== undefined && {
      googleHealth: { ...app(googleHealth), subscriber: { url: `${webhooks}/google-health`, secret: clientSecret } },
    }),
  };
  const ports = [strava, googleHealth].flatMap((address) => (address === undefined ? [] : [new URL(address).port]));
  if (ports.length === 0) return;
  await supervisor.start({
    name: 'simulators',
    kind: 'server',
    command: process.execPath,
    args: [bundleOf('simulators'), folder],
    marker: folder,
    stopSignal: 'SIGTERM',
    variables: { SIMULATORS: JSON.stringify(settings) },
    isReady: async () => {
      const asked = ports.map((port) =>
        answers(Number(port), `HEAD / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n`, 'HTTP/1.1 200'),
      );
      return (await Promise.all(asked)).every(Boolean);
    },
  });
}
