import { randomBytes, randomUUIDv7 } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { serviceNames } from '@caravan/contracts/events/topics';
import { z } from 'zod';
import type { InstanceDir } from '../process/paths.ts';
import { UserError } from '../process/terminal.ts';

const perService = z.record(z.enum(serviceNames), z.string());

const runFile = z.object({
  url: z.string(),
  postgres: perService,
  /** The owner of all databases; put a database's name behind it. */
  postgresOwner: z.string(),
  kafka: z.array(z.string()),
  redis: z.string(),
  s3: z.object({
    endpoint: z.string(),
    bucket: z.string(),
    region: z.string(),
    accessKey: z.string(),
    secretKey: z.string(),
  }),
  services: perService,
  /** Opens `/metrics` and what services answer to each other, as `X-Service-Credential`. */
  serviceCredential: z.string(),
  mail: z.object({ smtp: z.string(), http: z.string() }),
  /** Where fitness platforms are simulated; one is missing that is asked for real. */
  platforms: z.object({ strava: z.string().optional(), googleHealth: z.string().optional() }),
  pids: z.record(z.string(), z.number()),
  crashes: z.record(z.string(), z.object({ count: z.number(), lastAt: z.string(), how: z.string() })),
});

export type RunFile = z.infer<typeof runFile>;

/** Readable by its owner alone, since it holds passwords. */
export function writeRunFile(instanceDir: Pick<InstanceDir, 'runFile'>, run: RunFile): void {
  writeFileSync(instanceDir.runFile, `${JSON.stringify(run, null, 2)}\n`, { mode: 0o600 });
}

export function readRunFile(instanceDir: Pick<InstanceDir, 'runFile'>): RunFile {
  if (!existsSync(instanceDir.runFile)) throw new UserError('Caravan is not running.', 'Start it with `./caravan up`.');
  return runFile.parse(JSON.parse(readFileSync(instanceDir.runFile, 'utf8')));
}

export const removeRunFile = (instanceDir: InstanceDir): void => rmSync(instanceDir.runFile, { force: true });

const secretsFile = z.object({
  postgres: z.object({ superuser: z.string(), owner: z.string(), runtime: z.string() }),
  redis: z.string(),
  s3: z.object({ accessKey: z.string(), secretKey: z.string() }),
  /** 32 bytes, base64: encrypts identity's signing keys at rest. */
  keyEncryptionKey: z.string(),
  /** 32 bytes, base64: seals what fitness platforms let us in with. */
  providerTokenKey: z.string(),
  serviceCredential: z.string(),
  photoAddressKey: z.string(),
  cursorKey: z.string(),
  /** Of the apps at the simulated platforms. */
  simulatedApps: z.string(),
  defaultOrganisationId: z.uuid().or(z.literal('')),
});

export type Secrets = z.infer<typeof secretsFile>;

const password = (): string => randomBytes(24).toString('base64url');

const newSecrets = (): Secrets => ({
  postgres: { superuser: password(), owner: password(), runtime: password() },
  redis: password(),
  s3: { accessKey: randomBytes(10).toString('hex'), secretKey: password() },
  keyEncryptionKey: randomBytes(32).toString('base64'),
  providerTokenKey: randomBytes(32).toString('base64'),
  serviceCredential: password(),
  photoAddressKey: password(),
  cursorKey: password(),
  simulatedApps: password(),
  defaultOrganisationId: randomUUIDv7(),
});

/** Made at the first start; one that an older version did not know is added, the others never change. */
export function secretsOf(instanceDir: InstanceDir): Secrets {
  const isThere = existsSync(instanceDir.secretsFile);
  const known = isThere ? z.looseObject({}).parse(JSON.parse(readFileSync(instanceDir.secretsFile, 'utf8'))) : {};
  const secrets = secretsFile.parse({ ...newSecrets(), ...known });
  if (Object.keys(secrets).some((name) => !(name in known)))
    writeFileSync(instanceDir.secretsFile, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 });
  return secrets;
}
