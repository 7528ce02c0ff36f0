import { parse } from 'yaml';
import { z } from 'zod';

const condition = z.enum(['service_started', 'service_healthy', 'service_completed_successfully']);
const words = z.array(z.string());

/** What infra/docker-compose.yml uses of Compose; a word that is not here is an error. */
const serviceSchema = z.strictObject({
  image: z.string(),
  build: z
    .strictObject({
      context: z.string(),
      dockerfile: z.string(),
      target: z.string().optional(),
      args: z.record(z.string(), z.string()).default({}),
    })
    .optional(),
  command: z.union([z.string(), words]).optional(),
  environment: z.record(z.string(), z.coerce.string()).default({}),
  volumes: words.default([]),
  ports: words.default([]),
  depends_on: z.record(z.string(), z.strictObject({ condition })).default({}),
  healthcheck: z
    .strictObject({ test: words, interval: z.string(), timeout: z.string(), retries: z.number() })
    .optional(),
  profiles: words.default([]),
  read_only: z.boolean().default(false),
  tmpfs: words.default([]),
  cap_drop: words.default([]),
  security_opt: words.default([]),
  init: z.boolean().default(false),
  restart: z.string().optional(),
  stop_grace_period: z.string().optional(),
  shm_size: z.string().optional(),
});

export type ComposeService = z.infer<typeof serviceSchema>;

const fileSchema = z.looseObject({
  name: z.string(),
  services: z.record(z.string(), serviceSchema),
  volumes: z.record(z.string(), z.null()),
});

export type Variables = Readonly<Record<string, string | undefined>>;

/** `${NAME}`, `${NAME:-otherwise}` and `${NAME:?why it must be set}`. */
export function interpolate(text: string, variables: Variables): string {
  return text.replaceAll(/\$\{(\w+)(?:(:-|:\?)([^}]*))?\}/g, (_, name: string, sign?: string, rest = '') => {
    const value = variables[name] ?? '';
    if (value !== '') return value;
    if (sign === ':?') throw new Error(`${name} is missing: ${String(rest)}`);
    return sign === ':-' ? String(rest) : '';
  });
}

function interpolatedDeep(value: unknown, variables: Variables): unknown {
  if (typeof value === 'string') return interpolate(value, variables);
  if (Array.isArray(value)) return value.map((each) => interpolatedDeep(each, variables));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, interpolatedDeep(each, variables)]));
}

/** The services, by name, with every variable replaced. Throws for one that is missing. */
export function readCompose(text: string, variables: Variables): Record<string, ComposeService> {
  return fileSchema.parse(interpolatedDeep(parse(text, { merge: true }), variables)).services;
}

/** As they stand in the file. */
export const composeServices = (text: string): Record<string, ComposeService> =>
  fileSchema.parse(parse(text, { merge: true })).services;

/** The names of `NAME=value` lines, with their values. */
export const envFile = (text: string): Record<string, string> =>
  Object.fromEntries([...text.matchAll(/^([A-Z][A-Z\d_]*)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]));

/** Those whose profile is wanted, each after what it depends on. */
export function inOrder(services: Record<string, ComposeService>, profiles: readonly string[]): string[] {
  const order: string[] = [];
  const visit = (name: string): void => {
    if (order.includes(name)) return;
    const service = services[name];
    if (!service) throw new Error(`Somebody depends on ${name}, which is not there.`);
    for (const before of Object.keys(service.depends_on)) visit(before);
    if (!order.includes(name)) order.push(name);
  };
  for (const [name, { profiles: own }] of Object.entries(services))
    if (own.length === 0 || own.some((profile) => profiles.includes(profile))) visit(name);
  return order;
}
