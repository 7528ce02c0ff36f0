import { serviceNames } from '@caravan/contracts/events/topics';
import { z } from 'zod';

const url = (...protocols: string[]) =>
  z.url({
    protocol: new RegExp(`^(${protocols.join('|')})$`),
    error: `must be a URL that starts with ${protocols.map((protocol) => `${protocol}://`).join(' or ')}`,
  });
const port = z.coerce.number({ error: 'must be a port number' }).int().min(0).max(65_535);
const commaList = z.string().transform((list, context) => {
  const items = list.split(',').map((item) => item.trim());
  if (items.some((item) => item === '')) context.addIssue('must be a list of host:port, separated by commas');
  return items;
});

const longSecret = z.string().regex(/^[\x21-\x7e]{32,}$/, 'must be at least 32 letters, digits or signs, no blanks');

export const flag = z.enum(['true', 'false']).transform((text) => text === 'true');

/** Its requests go to hosts of the regions, which nobody here would know. */
const isRegionless = (endpoint: string) => /^https?:\/\/s3\.(cn-north-1\.)?amazonaws\.com(\.cn)?$/.test(endpoint);

/** Where objects lie, without the right to them. */
export const storagePlaceSchema = z.object({
  S3_ENDPOINT: url('http', 'https').refine((endpoint) => !isRegionless(new URL(endpoint).origin), {
    error: 'must name the region: https://s3.<region>.amazonaws.com',
  }),
  S3_BUCKET: z.string(),
  /** false: the bucket is part of the host's name. */
  S3_PATH_STYLE: flag.default(true),
  /** Where browsers reach the storage themselves; unset: uploads pass through the gateway. */
  S3_PUBLIC_URL: url('http', 'https').optional(),
});

export const processEnvSchema = z.object({
  PORT: port,
  HOST: z.string().default('127.0.0.1'),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'),
  REDIS_URL: url('redis', 'rediss'),
  REDIS_PREFIX: z.string().default(''),
  JWT_ISSUER: z.string(),
  JWT_AUDIENCE: z.string(),
  JWKS_URL: url('http', 'https'),
  IDENTITY_URL: url('http', 'https'),
  /** Shown among the processes of an instance; `/internal/*` and `/metrics` need it. */
  SERVICE_CREDENTIAL: longSecret,
  METRICS_PORT: port.optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: url('http', 'https').optional(),
});
export type ProcessEnv = z.infer<typeof processEnvSchema>;

export const serviceEnvSchema = processEnvSchema.extend({
  SERVICE_NAME: z.enum(serviceNames),
  DATABASE_URL: url('postgres', 'postgresql'),
  /** The database's owner: for an operator's commands alone. */
  MIGRATION_DATABASE_URL: url('postgres', 'postgresql').optional(),
  DATABASE_POOL_MAX: z.coerce.number().int().min(2).default(10),
  DATABASE_QUEUE_MAX: z.coerce.number().int().min(1).default(1_000),
  DATABASE_WAIT_MILLISECONDS: z.coerce.number().int().min(100).max(60_000).default(2_000),
  KAFKA_BROKERS: commaList,
  TOPIC_PREFIX: z.string().default(''),
  TOPIC_PARTITIONS_MAX: z.coerce.number().int().min(1).optional(),
  READ_WAIT_MILLISECONDS: z.coerce.number().int().min(0).max(60_000).default(1_000),
  ...storagePlaceSchema.shape,
  S3_ACCESS_KEY: z.string(),
  S3_SECRET_KEY: z.string(),
  S3_REGION: z.string(),
  IMAGE_PROCESSES: z.coerce.number().int().min(1).max(16).default(2),
  IMAGE_MEGABYTES: z.coerce.number().int().min(128).default(512),
  IMAGE_SECONDS: z.coerce.number().positive().max(20).default(5),
  /** Signs the addresses of photos: whoever holds it sees every photo whose id they know. */
  PHOTO_ADDRESS_KEY: longSecret,
  /** Seals the cursors of lists: whoever holds it reads which row a page ended at. */
  CURSOR_KEY: longSecret.refine((key) => !key.includes(','), 'must not contain a comma'),
  /** Keys before `CURSOR_KEY`, separated by commas: they still open cursors, and seal none. */
  CURSOR_KEYS_BEFORE: z
    .string()
    .transform((list) => list.split(',').map((item) => item.trim()))
    .pipe(z.array(longSecret))
    .default([]),
  PUBLIC_URL: url('http', 'https'),
});
export type ServiceEnv = z.infer<typeof serviceEnvSchema>;

export const Env = Symbol('Env');
export type Env = ServiceEnv;

/** Never shows a value: it may be a secret. */
export class BadEnvironment extends Error {
  override readonly name = 'BadEnvironment';
}

export function parseEnv<Schema extends z.ZodType>(
  schema: Schema,
  source: Readonly<Record<string, string | undefined>>,
): z.infer<Schema> {
  const given = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== undefined && value !== ''));
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const lines = parsed.error.issues.map((issue) => {
    const name = String(issue.path[0] ?? 'environment');
    return `  ${name}: ${name in given ? issue.message : 'is missing'}`;
  });
  throw new BadEnvironment(
    `This process cannot start; check its environment variables:\n${[...new Set(lines)].join('\n')}`,
  );
}

/** Whom a process believes that is started without settings: a storage may have its own authority. */
export function trustEnv(): Record<string, string> {
  const { NODE_EXTRA_CA_CERTS: authorities } = process.env;
  return authorities === undefined ? {} : { NODE_EXTRA_CA_CERTS: authorities };
}

/** Ends the process with code 1 when variables are missing or bad. */
export function readEnv<Schema extends z.ZodType>(schema: Schema): z.infer<Schema> {
  try {
    return parseEnv(schema, process.env);
  } catch (error) {
    if (!(error instanceof BadEnvironment)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}
