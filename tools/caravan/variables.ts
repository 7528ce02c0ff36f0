import { serviceNames } from '@caravan/contracts/topics';
import type { ServiceName } from '@caravan/contracts/topics';
import { localSettings, type Run } from './local-settings.ts';
import type { MailAddresses } from './mailbox.ts';
import type { ObjectStore } from './s3.ts';
import type { Secrets } from './secrets.ts';

/** Where everything of one instance is reached. */
export type Addresses = {
  /** The product, as people reach it. */
  url: string;
  postgres: Record<ServiceName, string>;
  kafka: string[];
  redis: string;
  s3: ObjectStore;
  services: Record<ServiceName, string>;
  mail: MailAddresses;
};

const upstreams = ({ services }: Addresses, self?: ServiceName): Record<string, string> =>
  Object.fromEntries(
    serviceNames.filter((name) => name !== self).map((name) => [`${name.toUpperCase()}_URL`, services[name]]),
  );

const portOf = (url: string): string => new URL(url).port;

const shared = ({ url, redis, services }: Addresses, { serviceCredential }: Secrets): Record<string, string> => ({
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

/** The settings of a service. */
export function serviceVariables(
  service: ServiceName,
  addresses: Addresses,
  secrets: Secrets,
  run: Run,
): Record<string, string> {
  const { postgres, kafka, s3, services } = addresses;
  const variables = {
    ...shared(addresses, secrets),
    SERVICE_NAME: service,
    PORT: portOf(services[service]),
    DATABASE_URL: postgres[service],
    KAFKA_BROKERS: kafka.join(','),
    S3_ENDPOINT: s3.endpoint,
    S3_BUCKET: s3.bucket,
    S3_REGION: s3.region,
    S3_ACCESS_KEY: s3.accessKey,
    S3_SECRET_KEY: s3.secretKey,
    ...localSettings(service, run),
  };
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

/** The settings of the gateway. */
export function gatewayVariables(
  addresses: Addresses,
  secrets: Secrets,
  webRoot: string,
  run: Run,
): Record<string, string> {
  return {
    ...shared(addresses, secrets),
    ...upstreams(addresses),
    PORT: portOf(addresses.url),
    WEB_ROOT: webRoot,
    ...localSettings('gateway', run),
  };
}
