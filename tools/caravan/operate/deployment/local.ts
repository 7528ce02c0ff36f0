import { statfsSync } from 'node:fs';
import { databaseOf } from '../../servers/databases.ts';
import { readRunFile } from '../../servers/instance-files.ts';
import type { InstanceDir } from '../../process/paths.ts';
import { byService } from '../../servers/product.ts';
import { checkDeployment } from './deployment.ts';
import { fine, type Finding, wrong } from './installation.ts';

const neededBytes = 2_000_000_000;

function diskOf(folder: string): Finding {
  const { bavail, blocks, bsize } = statfsSync(folder);
  const words = `${Math.floor((bavail * bsize) / 1e9)} of ${Math.floor((blocks * bsize) / 1e9)} GB are free below ${folder}`;
  return (bavail * bsize < neededBytes ? wrong : fine)('disk', words);
}

/** Of the product that `./caravan up` runs. */
export async function checkLocalDeployment(instanceDir: InstanceDir): Promise<number> {
  const run = readRunFile(instanceDir);
  const databases = await byService((service) => ({
    runtime: run.postgres[service],
    owner: `${run.postgresOwner}${databaseOf(service)}`,
  }));
  const installation = {
    databases,
    kafka: run.kafka,
    redis: run.redis,
    storage: run.s3.endpoint,
    publicUrl: run.url,
    mail: run.mail.smtp,
    services: await byService((service) => run.services[service]),
    metricsPort: undefined,
    serviceCredential: run.serviceCredential,
  };
  return checkDeployment(installation, [diskOf(instanceDir.folder)]);
}
