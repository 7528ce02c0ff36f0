import { parseArgs } from 'node:util';
import {
  appointAdmin,
  afterRestore,
  beginEpoch,
  closeOrganisation,
  confirmAddresses,
  foundDefault,
  rebuild,
  redrive,
  type VariablesOf,
} from './admin-commands.ts';
import { createTopics, databaseUrls, prepareDatabases } from '../servers/databases.ts';
import { checkDeployment } from './deployment/deployment.ts';
import { readDeploymentEnv, readOperateEnv } from './operate-env.ts';
import { byService } from '../servers/product.ts';
import { isUnreleasedData, UserError } from '../process/terminal.ts';

// For containers: what `./caravan up` does between starting servers and starting services, and an operator's commands.
const env = readOperateEnv();
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { all: { type: 'boolean', default: false } },
});
const postgres = { superuser: env.POSTGRES_ADMIN_URL };
const passwords = { owner: env.POSTGRES_OWNER_PASSWORD, runtime: env.runtime };

const variablesOf: VariablesOf = (service) => {
  const { runtime, owner } = databaseUrls(postgres, passwords, service);
  return {
    SERVICE_NAME: service,
    PORT: '0',
    LOG_LEVEL: 'error',
    DATABASE_URL: runtime,
    MIGRATION_DATABASE_URL: owner,
  };
};

/** Can be repeated: what is there stays. */
async function prepare(): Promise<number> {
  await Promise.all([prepareDatabases(postgres, passwords), createTopics(env.KAFKA_BROKERS)]);
  process.stdout.write('The databases are migrated and the topics are there.\n');
  if (env.DEFAULT_ORGANISATION_ID === undefined) return 0;
  const exitCode = await foundDefault(variablesOf, env.DEFAULT_ORGANISATION_NAME, env.DEFAULT_ORGANISATION_TIME_ZONE);
  if (exitCode === 0) process.stdout.write('The default organisation is there.\n');
  return exitCode;
}

async function doctor(): Promise<number> {
  const of = readDeploymentEnv();
  return checkDeployment({
    databases: await byService((service) => databaseUrls(postgres, passwords, service)),
    kafka: env.KAFKA_BROKERS,
    redis: of.REDIS_URL,
    storage: of.S3_ENDPOINT,
    publicUrl: of.PUBLIC_URL,
    mail: of.SMTP_URL,
    services: await byService((service) => of[`${service.toUpperCase() as Uppercase<typeof service>}_URL`]),
    metricsPort: of.METRICS_PORT,
    serviceCredential: of.SERVICE_CREDENTIAL,
  });
}

const commands: Record<string, (word: string | undefined, words: string[]) => Promise<number>> = {
  prepare,
  doctor: () => doctor(),
  rebuild: (service, [, readModel]) => rebuild(variablesOf, { service, readModel, isAll: values.all }),
  redrive: (service) => redrive(variablesOf, service),
  'after-restore': (service, [, keptFile]) => afterRestore(variablesOf, service, keptFile),
  'begin-epoch': (service) => beginEpoch(variablesOf, service),
  'appoint-admin': (email) => appointAdmin(variablesOf, email),
  'confirm-address': (_, emails) => confirmAddresses(variablesOf, emails),
  'close-organisation': (orgId) => closeOrganisation(variablesOf, orgId),
};

async function run([command = 'prepare', ...words]: string[]): Promise<number> {
  const work = commands[command];
  if (work === undefined)
    throw new UserError(`There is no command ${command}.`, `There are: ${Object.keys(commands).join(', ')}`);
  return work(words[0], words);
}

try {
  process.exitCode = await run(positionals);
} catch (error) {
  const keepIt = 'Back it up under the version that made it (docs/operate/backup.md), then begin with empty databases.';
  const told = isUnreleasedData(error) ? new UserError(error.message, keepIt) : error;
  process.stderr.write(told instanceof UserError ? `${told.message}\n${told.advice}\n` : `${String(told)}\n`);
  process.exitCode = 1;
}
