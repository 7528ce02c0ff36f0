import { type ServiceName, serviceNames } from '@caravan/contracts/events/topics';
import type { ObjectStore } from './java-servers.ts';
import type { Secrets } from './instance-files.ts';
import { type PlatformAddresses, simulatedSettings } from './platforms.ts';
import type { MailAddresses } from './servers.ts';

export type Addresses = {
  /** Where people open it. */
  url: string;
  /** Where the gateway listens, if a development server stands before it; otherwise it listens at `url`. */
  gateway?: string;
  postgres: Record<ServiceName, string>;
  kafka: string[];
  redis: string;
  s3: ObjectStore;
  services: Record<ServiceName, string>;
  mail: MailAddresses;
  platforms: PlatformAddresses;
};

const upstreams = ({ services }: Addresses, self?: ServiceName): Record<string, string> =>
  Object.fromEntries(
    serviceNames.filter((name) => name !== self).map((name) => [`${name.toUpperCase()}_URL`, services[name]]),
  );

const storagePlace = ({ endpoint, bucket }: ObjectStore) => ({ S3_ENDPOINT: endpoint, S3_BUCKET: bucket });

const portOf = (url: string): string => new URL(url).port;

const sharedVariables = (
  { url, redis, services }: Addresses,
  { serviceCredential }: Secrets,
): Record<string, string> => ({
  HOST: '127.0.0.1',
  NODE_ENV: 'production',
  REDIS_URL: redis,
  PUBLIC_URL: url,
  IDENTITY_URL: services.identity,
  JWT_ISSUER: url,
  JWT_AUDIENCE: 'caravan',
  JWKS_URL: `${services.identity}/.well-known/jwks.json`,
  SERVICE_CREDENTIAL: serviceCredential,
});

export function serviceVariables(
  service: ServiceName,
  addresses: Addresses,
  secrets: Secrets,
  run: Run,
): Record<string, string> {
  const { postgres, kafka, s3, services } = addresses;
  const variables = {
    ...sharedVariables(addresses, secrets),
    SERVICE_NAME: service,
    PORT: portOf(services[service]),
    DATABASE_URL: postgres[service],
    KAFKA_BROKERS: kafka.join(','),
    ...storagePlace(s3),
    S3_REGION: s3.region,
    S3_ACCESS_KEY: s3.accessKey,
    S3_SECRET_KEY: s3.secretKey,
    PHOTO_ADDRESS_KEY: secrets.photoAddressKey,
    CURSOR_KEY: secrets.cursorKey,
    ...localSettings(service, run),
  };
  if (service === 'integrations') {
    const simulated = simulatedIn.includes(run) ? simulatedSettings(addresses.platforms, secrets) : {};
    return { ...variables, PROVIDER_TOKEN_KEY: secrets.providerTokenKey, ...simulated };
  }
  if (service !== 'identity') return variables;
  return {
    ...variables,
    KEY_ENCRYPTION_KEY: secrets.keyEncryptionKey,
    DEFAULT_ORGANISATION_ID: secrets.defaultOrganisationId,
    SMTP_URL: addresses.mail.smtp,
    MAIL_FROM: 'Caravan <caravan@localhost>',
    // Each is asked for what it holds of a person who exports their data.
    ...upstreams(addresses, 'identity'),
  };
}

export function gatewayVariables(
  addresses: Addresses,
  secrets: Secrets,
  webRoot: string,
  run: Run,
): Record<string, string> {
  return {
    ...sharedVariables(addresses, secrets),
    ...upstreams(addresses),
    PORT: portOf(addresses.gateway ?? addresses.url),
    ...storagePlace(addresses.s3),
    WEB_ROOT: webRoot,
    ...localSettings('gateway', run),
  };
}

export type Run = 'up' | 'journeys' | 'chaos' | 'bench';

/** A setting in which a run here differs from what an operator gets who sets nothing. */
type Difference = {
  readonly of: ServiceName | 'gateway';
  readonly setting: string;
  readonly value?: string;
  readonly runs: readonly Run[];
  readonly reason: string;
};

const everywhere: readonly Run[] = ['up', 'journeys', 'chaos', 'bench'];
/** Runs in which people may connect a fitness platform. */
export const simulatedIn: readonly Run[] = ['up', 'journeys', 'bench'];

/** The spec fails for one that is not here. Only the bench lets an account ask without end (D38). */
export const differences: readonly Difference[] = [
  {
    of: 'identity',
    setting: 'DEFAULT_ORGANISATION_ID',
    runs: everywhere,
    reason: 'Whoever signs up without an invite joins the demo; `./caravan up --empty` leaves it out.',
  },
  {
    of: 'identity',
    setting: 'PASSWORD_CHECK',
    value: 'warn',
    runs: everywhere,
    reason:
      'A local instance is for trying out: it says that a password is weak, and takes it. The demo has one for all.',
  },
  {
    of: 'identity',
    setting: 'FAILURES_PER_ADDRESS',
    value: '10000',
    runs: everywhere,
    reason: 'One address acts for 500 people here, who mistype and guess in tests; what one account may fail stays.',
  },
  {
    of: 'identity',
    setting: 'ADDRESS_PROBES_PER_HOUR',
    value: '10000',
    runs: everywhere,
    reason: 'One address acts for 500 people here, who try in tests what happens when they sign up twice.',
  },
  {
    of: 'identity',
    setting: 'NOTICE_MAIL_HOLD_SECONDS',
    value: '0',
    runs: ['journeys'],
    reason: 'A journey reads the mail about what it has just done; for people five minutes are well spent.',
  },
  ...Object.keys(simulatedSettings({ strava: '', googleHealth: '' }, { simulatedApps: '' })).map((setting) => ({
    of: 'integrations' as const,
    setting,
    runs: simulatedIn,
    reason: 'Nobody registers an app to try Caravan out: the platforms are simulated, unless apps of one are named.',
  })),
  {
    of: 'activity',
    setting: 'PHOTO_LINKS',
    value: 'any',
    runs: ['journeys'],
    reason: 'A journey has a picture of its own instance fetched, which lies in no open internet.',
  },
  {
    of: 'gateway',
    setting: 'LIMIT_PER_ADDRESS_PER_MINUTE',
    value: '1000000',
    runs: ['bench'],
    reason: 'The bench signs thousands up and in from one address, to see what a machine can do.',
  },
  {
    of: 'gateway',
    setting: 'LIMIT_PER_ACCOUNT_PER_MINUTE',
    value: '1000000',
    runs: ['bench'],
    reason: 'The bench asks for thousands of pages a second as few people, to see what a machine can do.',
  },
  {
    of: 'gateway',
    setting: 'LIMIT_WRITES_FACTOR',
    value: '1000000',
    runs: ['bench'],
    reason: 'The bench logs and reacts thousands of times a second as few people, to see what a machine can do.',
  },
  {
    of: 'gateway',
    setting: 'LIMIT_WRITES_FACTOR',
    value: '1000',
    runs: ['journeys', 'chaos'],
    reason:
      'Tests do in a minute, as few people, what these would do in a month: every hostile body of every operation.',
  },
];

function localSettings(process: ServiceName | 'gateway', run: Run): Record<string, string> {
  const own = differences.filter((difference) => difference.of === process && difference.runs.includes(run));
  return Object.fromEntries(own.flatMap(({ setting, value }) => (value === undefined ? [] : [[setting, value]])));
}
