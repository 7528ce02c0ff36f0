import { randomBytes, randomUUIDv7 } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import type { InstanceDir } from './paths.ts';

const secretsFile = z.object({
  /** PostgreSQL: the cluster's superuser, the owner of all databases, and the role that the services run as. */
  postgres: z.object({ superuser: z.string(), owner: z.string(), runtime: z.string() }),
  redis: z.string(),
  s3: z.object({ accessKey: z.string(), secretKey: z.string() }),
  /** 32 bytes, base64: encrypts identity's signing keys at rest. */
  keyEncryptionKey: z.string(),
  /** What the processes show each other. */
  serviceCredential: z.string(),
  /** The organisation that people join who sign up without an invite; empty: there is none. */
  defaultOrganisationId: z.uuid().or(z.literal('')),
});

/** Secrets of one instance. */
export type Secrets = z.infer<typeof secretsFile>;

const password = (): string => randomBytes(24).toString('base64url');

const made = (): Secrets => ({
  postgres: { superuser: password(), owner: password(), runtime: password() },
  redis: password(),
  s3: { accessKey: randomBytes(10).toString('hex'), secretKey: password() },
  keyEncryptionKey: randomBytes(32).toString('base64'),
  serviceCredential: password(),
  defaultOrganisationId: randomUUIDv7(),
});

/**
 * Reads the secrets of an instance; at its first start they are made, readable by their owner alone. One that an older
 * version did not know is added; one that is there never changes.
 */
export function secretsOf(instanceDir: InstanceDir): Secrets {
  const isThere = existsSync(instanceDir.secretsFile);
  const known = isThere ? z.looseObject({}).parse(JSON.parse(readFileSync(instanceDir.secretsFile, 'utf8'))) : {};
  const secrets = secretsFile.parse({ ...made(), ...known });
  if (Object.keys(secrets).some((name) => !(name in known)))
    writeFileSync(instanceDir.secretsFile, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 });
  return secrets;
}
