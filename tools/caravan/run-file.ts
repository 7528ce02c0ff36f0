import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { serviceNames } from '@caravan/contracts/topics';
import { z } from 'zod';
import type { InstanceDir } from './paths.ts';
import { UserError } from './user-error.ts';

const perService = z.record(z.enum(serviceNames), z.string());

const runFile = z.object({
  url: z.string(),
  /** Runtime role per service. */
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
  /** Sent as `X-Service-Credential`: opens `/metrics` and what services answer to each other. */
  serviceCredential: z.string(),
  /** Where the services hand over mail, and where people and tests read it. */
  mail: z.object({ smtp: z.string(), http: z.string() }),
  pids: z.record(z.string(), z.number()),
  /** Programs that ended by themselves and were started again. */
  crashes: z.record(z.string(), z.object({ count: z.number(), lastAt: z.string(), how: z.string() })),
});

/** Addresses, keys and process ids of a running instance. Tests, benchmarks and developers read it. */
export type RunFile = z.infer<typeof runFile>;

/** Writes the run file, readable by its owner alone, since it holds passwords. */
export function writeRunFile(instanceDir: Pick<InstanceDir, 'runFile'>, run: RunFile): void {
  writeFileSync(instanceDir.runFile, `${JSON.stringify(run, null, 2)}\n`, { mode: 0o600 });
}

/** Reads the run file; fails when nothing runs. */
export function readRunFile(instanceDir: Pick<InstanceDir, 'runFile'>): RunFile {
  if (!existsSync(instanceDir.runFile)) throw new UserError('Caravan is not running.', 'Start it with `./caravan up`.');
  return runFile.parse(JSON.parse(readFileSync(instanceDir.runFile, 'utf8')));
}

/** Removes the run file: what it names no longer runs. */
export const removeRunFile = (instanceDir: InstanceDir): void => rmSync(instanceDir.runFile, { force: true });
