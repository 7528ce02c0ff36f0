import { serviceNames } from '@caravan/contracts/topics';
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

/** What every process with an HTTP port reads, the gateway included. */
export const processEnvSchema = z.object({
  PORT: port,
  HOST: z.string().default('127.0.0.1'),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'),
  REDIS_URL: url('redis', 'rediss'),
  /** Put before every Redis key and channel, so that installations and test suites can share a server. */
  REDIS_PREFIX: z.string().default(''),
  JWT_ISSUER: z.string(),
  JWT_AUDIENCE: z.string(),
  JWKS_URL: url('http', 'https'),
  IDENTITY_URL: url('http', 'https'),
  /** What the processes of the instance show each other; `/internal/*` and `/metrics` are answered to nobody without it. */
  SERVICE_CREDENTIAL: z.string().regex(/^[\x21-\x7e]{32,}$/, 'must be at least 32 letters, digits or signs, no blanks'),
  /** Prometheus metrics on a port of their own, never routed from outside and open to whoever reaches it. */
  METRICS_PORT: port.optional(),
  /** Spans are recorded and sent only when this is set. */
  OTEL_EXPORTER_OTLP_ENDPOINT: url('http', 'https').optional(),
});
export type ProcessEnv = z.infer<typeof processEnvSchema>;

/** What every service reads; a service with settings of its own extends it. Secrets have no default. */
export const serviceEnvSchema = processEnvSchema.extend({
  SERVICE_NAME: z.enum(serviceNames),
  DATABASE_URL: url('postgres', 'postgresql'),
  /** As the owner of the database; only an operator's commands (rebuild, begin-epoch) need it, no running service. */
  MIGRATION_DATABASE_URL: url('postgres', 'postgresql').optional(),
  /** Connections to PostgreSQL at most. */
  DATABASE_POOL_MAX: z.coerce.number().int().min(2).default(10),
  /** Requests that may wait for one of them; the next one hears 503. */
  DATABASE_QUEUE_MAX: z.coerce.number().int().min(1).default(1_000),
  /** How long one of them waits at most, where its own time is not over before. */
  DATABASE_WAIT_MILLISECONDS: z.coerce.number().int().min(100).max(60_000).default(2_000),
  KAFKA_BROKERS: commaList,
  /** Put before every topic and consumer group. */
  TOPIC_PREFIX: z.string().default(''),
  /** How long a reader waits at most for what they wrote elsewhere; then the answer says that it is stale. */
  READ_WAIT_MILLISECONDS: z.coerce.number().int().min(0).max(60_000).default(1_000),
  S3_ENDPOINT: url('http', 'https'),
  S3_BUCKET: z.string(),
  S3_ACCESS_KEY: z.string(),
  S3_SECRET_KEY: z.string(),
  S3_REGION: z.string(),
  /** Untrusted pictures decoded at the same time, each in a process of its own with that much memory and time. */
  IMAGE_PROCESSES: z.coerce.number().int().min(1).max(16).default(2),
  IMAGE_MEGABYTES: z.coerce.number().int().min(128).default(512),
  IMAGE_SECONDS: z.coerce.number().positive().max(20).default(5),
  /** Where people reach the product; links in mails and Link headers start with it. */
  PUBLIC_URL: url('http', 'https'),
});
export type ServiceEnv = z.infer<typeof serviceEnvSchema>;

/** Injection token of the validated environment; a service's own schema may carry more. */
export const Env = Symbol('Env');
export type Env = ServiceEnv;

/** Every missing or bad variable by name, one per line. Never shows a value: it may be a secret. */
export class BadEnvironment extends Error {
  override readonly name = 'BadEnvironment';
}

/** Parses variables; an empty one counts as missing. Throws `BadEnvironment` that names all that are wrong at once. */
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

/** The process's own variables; with missing or bad ones it names them on stderr and ends the process with code 1. */
export function readEnv<Schema extends z.ZodType>(schema: Schema): z.infer<Schema> {
  try {
    return parseEnv(schema, process.env);
  } catch (error) {
    if (!(error instanceof BadEnvironment)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}
