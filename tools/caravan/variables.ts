import { serviceNames } from '@caravan/contracts/topics';
import type { ServiceName } from '@caravan/contracts/topics';
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

/** How many requests a minute the gateway takes of one address and of one account. */
export type Limits = { perAddress: number; perAccount: number };

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
export function serviceVariables(service: ServiceName, addresses: Addresses, secrets: Secrets): Record<string, string> {
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
  };
  if (service !== 'identity') return variables;
  return {
    ...variables,
    KEY_ENCRYPTION_KEY: secrets.keyEncryptionKey,
    DEFAULT_ORGANISATION_ID: secrets.defaultOrganisationId,
    ALLOW_FOUNDING: 'true',
    // A local instance is for trying out: it says that a password is weak, and takes it.
    PASSWORD_CHECK: 'warn',
    // One address acts for everybody here; what one account may fail stays (D38).
    FAILURES_PER_ADDRESS: '10000',
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
  limits: Limits,
): Record<string, string> {
  return {
    ...shared(addresses, secrets),
    ...upstreams(addresses),
    PORT: portOf(addresses.url),
    WEB_ROOT: webRoot,
    LIMIT_PER_ADDRESS_PER_MINUTE: String(limits.perAddress),
    LIMIT_PER_ACCOUNT_PER_MINUTE: String(limits.perAccount),
  };
}
