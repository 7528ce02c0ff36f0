import { type ServiceName, serviceNames } from '@caravan/contracts/events/topics';
import { readEnv, serviceEnvSchema } from '@caravan/service-kit/process/env';
import { z } from 'zod';

const databaseServer = z.url({
  protocol: /^postgres(ql)?$/,
  error: 'must be a URL that starts with postgres:// or postgresql://',
});

export const passwordVariableOf = (service: ServiceName): string => `POSTGRES_${service.toUpperCase()}_PASSWORD`;

const ownSchema = z.object({
  /** A role that may create databases and roles. */
  POSTGRES_ADMIN_URL: databaseServer,
  /** Of the role that owns all databases and migrates them. */
  POSTGRES_OWNER_PASSWORD: z.string(),
  KAFKA_BROKERS: serviceEnvSchema.shape.KAFKA_BROKERS,
  DEFAULT_ORGANISATION_ID: z.uuid({ error: 'must be a UUID' }).optional(),
  DEFAULT_ORGANISATION_NAME: z.string().default('Caravan'),
  DEFAULT_ORGANISATION_TIME_ZONE: z.string().default('UTC'),
});

type OwnEnv = z.infer<typeof ownSchema>;

const passwords: Record<string, z.ZodString> = Object.fromEntries(
  serviceNames.map((name) => [passwordVariableOf(name), z.string()]),
);

/** What preparing and operating an instance in containers needs beside the settings of its services. */
export const operateEnvSchema = z.object({ ...ownSchema.shape, ...passwords });

export function readOperateEnv(): OwnEnv & { runtime: (service: ServiceName) => string } {
  const env = readEnv(operateEnvSchema) as unknown as OwnEnv & Readonly<Record<string, unknown>>;
  return { ...env, runtime: (service) => String(env[passwordVariableOf(service)]) };
}

const { REDIS_URL, PUBLIC_URL, SERVICE_CREDENTIAL, METRICS_PORT, S3_ENDPOINT, IDENTITY_URL } = serviceEnvSchema.shape;
const others = { ACTIVITY_URL: IDENTITY_URL, SCORING_URL: IDENTITY_URL, SOCIAL_URL: IDENTITY_URL };

/** Where a running installation is looked at; identity is told the same. */
const deploymentEnvSchema = z.object({
  REDIS_URL,
  PUBLIC_URL,
  SERVICE_CREDENTIAL,
  METRICS_PORT,
  S3_ENDPOINT,
  SMTP_URL: z.url({ protocol: /^smtps?$/, error: 'must be a URL that starts with smtp:// or smtps://' }).optional(),
  IDENTITY_URL,
  ...others,
  INTEGRATIONS_URL: IDENTITY_URL,
});

export const readDeploymentEnv = () => readEnv(deploymentEnvSchema);
