import { type ServiceName, serviceNames } from '@caravan/contracts/topics';
import { readEnv, serviceEnvSchema } from '@caravan/service-kit/env';
import { z } from 'zod';

const databaseServer = z.url({
  protocol: /^postgres(ql)?$/,
  error: 'must be a URL that starts with postgres:// or postgresql://',
});

export const passwordVariableOf = (service: ServiceName): string => `POSTGRES_${service.toUpperCase()}_PASSWORD`;

/** What preparing and operating an instance in containers needs beside the settings of its services. */
export const operateEnvSchema = z
  .object({
    /** A role that may create databases and roles. */
    POSTGRES_ADMIN_URL: databaseServer,
    /** Of the role that owns all databases and migrates them. */
    POSTGRES_OWNER_PASSWORD: z.string(),
    KAFKA_BROKERS: serviceEnvSchema.shape.KAFKA_BROKERS,
    DEFAULT_ORGANISATION_ID: z.uuid({ error: 'must be a UUID' }).optional(),
    DEFAULT_ORGANISATION_NAME: z.string().default('Caravan'),
    DEFAULT_ORGANISATION_TIME_ZONE: z.string().default('UTC'),
  })
  .extend(Object.fromEntries(serviceNames.map((name) => [passwordVariableOf(name), z.string()])));

export function readOperateEnv() {
  const env = readEnv(operateEnvSchema);
  const passwords: Readonly<Record<string, unknown>> = env;
  return { ...env, runtime: (service: ServiceName) => String(passwords[passwordVariableOf(service)]) };
}
