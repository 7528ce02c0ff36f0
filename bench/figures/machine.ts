import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { release } from '@caravan/service-kit/telemetry/release';
import { z } from 'zod';
import { pidOf, type Product, root } from '../product.ts';
import { asOwner } from '../seeding/databases.ts';

export function machine(): string {
  const [cpu] = cpus();
  const gibibytes = Math.round(totalmem() / 1_024 ** 3);
  return `${cpus().length} cores (${cpu?.model.trim() ?? 'unknown'}), ${gibibytes} GiB`;
}

const versionSchema = z.tuple([z.object({ version: z.string() })]);

/** Of what runs, by asking it. */
export async function versions(product: Product): Promise<Record<string, string>> {
  const sql = `select current_setting('server_version') as version`;
  const [{ version: postgres }] = versionSchema.parse(await asOwner(product, 'identity', (tx) => tx.query(sql)));
  const redis = execFileSync(`/proc/${pidOf(product, 'redis')}/exe`, ['--version'], { encoding: 'utf8' });
  const kafka = readFileSync(join(root, 'infra/local/kafka/pom.xml'), 'utf8');
  return {
    caravan: release.version,
    Node: process.versions.node,
    PostgreSQL: postgres.split(' ')[0] ?? postgres,
    Kafka: /kafka_2\.13<\/artifactId>\s*<version>([\d.]+)/.exec(kafka)?.[1] ?? 'unknown',
    Redis: /v=([\d.]+)/.exec(redis)?.[1] ?? 'unknown',
  };
}
