import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ServiceName, serviceNames, topics } from '@caravan/contracts/events/topics';
import { createTopics, databasePasswords, databaseUrls, prepareDatabases } from './databases.ts';
import { type Addresses, gatewayVariables, type Run, serviceVariables, simulatedIn } from './variables.ts';
import { nodeFlags, nodeVariables } from '../process/node-flags.ts';
import { mailAddresses, type ServersUse, startMailbox, startServers } from './servers.ts';
import { platformAddresses, startSimulators } from './platforms.ts';
import { bundleOf, type InstanceDir, type ProcessName, shared } from '../process/paths.ts';
import { type Postgres, postgresUrl } from './postgres.ts';
import { freePort, isReadyAt } from '../process/ports.ts';
import type { Supervisor, Program } from '../process/supervisor.ts';
import { print, step } from '../process/terminal.ts';
import { type Secrets, writeRunFile } from './instance-files.ts';
import { runTool } from '../process/programs.ts';

export type Product = ServersUse & {
  instanceDir: InstanceDir;
  secrets: Secrets;
  port: number;
  /** The gateway's port, when a development server takes `port`. */
  gatewayPort?: number;
  /** The folder of the built web app, where it is not the one in dist/. */
  webRoot?: string;
  run: Run;
  built: Promise<void>;
  /** Where it is built apart: the gateway alone waits for it. */
  webBuilt?: Promise<void>;
  /** Called when the servers are there, before anything of the product runs. */
  beforeProcesses?: (addresses: Addresses) => Promise<void>;
  /** Called once the first page answers and people can sign in; the other services may still be starting. */
  onFirstPage?: (addresses: Addresses) => void;
};

const defaultOrganisation = 'Caravan Demo';

/** A value of each service. */
export const byService = async <Value>(
  value: (service: ServiceName) => Value | Promise<Value>,
): Promise<Record<ServiceName, Value>> => {
  const entries = await Promise.all(serviceNames.map(async (name) => [name, await value(name)] as const));
  return Object.fromEntries(entries) as Record<ServiceName, Value>;
};

function processOf(
  name: ProcessName,
  url: string,
  instanceDir: InstanceDir,
  variables: Record<string, string>,
): Program {
  // Also tells the processes of two instances of one checkout apart.
  const args = [...nodeFlags, `--diagnostic-dir=${instanceDir.log}`, bundleOf(name)];
  return {
    name,
    kind: name === 'gateway' ? 'gateway' : 'service',
    command: process.execPath,
    args,
    marker: args.join(' '),
    // No other process takes over, so callers need no time to leave.
    stopSignal: 'SIGINT',
    // Modules are compiled once per build instead of once per start.
    variables: { ...variables, ...nodeVariables, NODE_COMPILE_CACHE: shared.compiled },
    isReady: () => isReadyAt(url),
  };
}

function keepRunFile(
  { instanceDir, secrets }: Product,
  supervisor: Supervisor,
  addresses: Addresses,
  postgres: Postgres,
): void {
  const postgresOwner = postgresUrl(postgres, 'caravan_owner', secrets.postgres.owner, '');
  const { serviceCredential } = secrets;
  const write = () => {
    const { pids, crashes } = supervisor;
    writeRunFile(instanceDir, { ...addresses, postgresOwner, serviceCredential, pids, crashes });
  };
  supervisor.onRestarted = write;
  write();
}

/** Starts each part as soon as what it needs is there; answers their addresses when the product answers. */
export async function startProduct(supervisor: Supervisor, product: Product): Promise<Addresses> {
  const { instanceDir, secrets, built } = product;
  const starting = startServers(supervisor, instanceDir, secrets, product);
  const services = await byService(async () => `http://127.0.0.1:${await freePort()}`);
  const prepared = starting.postgres.then((postgres) =>
    step('The databases are migrated', () => prepareDatabases(postgres, databasePasswords(secrets))),
  );
  const announced = announceTopics(instanceDir, starting.kafka);
  const [postgres, redis, { kafka, s3 }] = await Promise.all([
    starting.postgres,
    starting.redis,
    starting.places,
    built,
    prepared,
    announced,
  ]);
  const addresses: Addresses = {
    url: `http://127.0.0.1:${product.port}`,
    ...(product.gatewayPort !== undefined && { gateway: `http://127.0.0.1:${product.gatewayPort}` }),
    postgres: await byService((service) => databaseUrls(postgres, databasePasswords(secrets), service).runtime),
    kafka,
    redis,
    s3,
    services,
    mail: await mailAddresses(product.port),
    platforms: simulatedIn.includes(product.run) ? await platformAddresses(product.port) : {},
  };
  await product.beforeProcesses?.(addresses);
  await Promise.all([
    foundDefaultOrganisation(product, addresses, supervisor.signal),
    startProcesses(supervisor, product, addresses),
    starting.kafka,
    starting.s3,
  ]);
  print(`All of it answers at ${addresses.url}`);
  keepRunFile(product, supervisor, addresses, postgres);
  return addresses;
}

/** Services wait for a Kafka that is late, and answer meanwhile; for topics that no start has made yet all wait here. */
function announceTopics({ data }: InstanceDir, brokers: Promise<string[]>): Promise<void> {
  const done = join(data, 'topics');
  const wanted = JSON.stringify(topics);
  if (existsSync(done) && readFileSync(done, 'utf8') === wanted) return Promise.resolve();
  return brokers.then(async (kafka) => {
    await step('The topics are there', () => createTopics(kafka));
    writeFileSync(done, wanted, { mode: 0o600 });
  });
}

async function foundDefaultOrganisation(
  { instanceDir, secrets, run }: Product,
  addresses: Addresses,
  signal: AbortSignal,
): Promise<void> {
  const done = join(instanceDir.data, 'founded');
  if (existsSync(done) || secrets.defaultOrganisationId === '') return;
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  const args = [bundleOf('identity'), '--found-default', defaultOrganisation, '--time-zone', timeZone];
  const variables = serviceVariables('identity', addresses, secrets, run);
  await step('The default organisation is founded', () => runTool(process.execPath, args, { signal, variables }));
  writeFileSync(done, '', { mode: 0o600 });
}

export async function startProcesses(
  supervisor: Pick<Supervisor, 'start'>,
  product: Product,
  addresses: Addresses,
): Promise<void> {
  const { instanceDir, secrets, run, built, webBuilt = built, onFirstPage } = product;
  const webRoot = product.webRoot ?? join(shared.dist, 'web');
  const variables = gatewayVariables(addresses, secrets, webRoot, run);
  const services = await byService((name) => {
    const url = addresses.services[name];
    const program = processOf(name, url, instanceDir, serviceVariables(name, addresses, secrets, run));
    return { isReady: step(`${name} is ready`, () => supervisor.start(program)) };
  });
  const gateway = webBuilt.then(() =>
    step('gateway is ready', () =>
      supervisor.start(processOf('gateway', addresses.gateway ?? addresses.url, instanceDir, variables)),
    ),
  );
  await Promise.all([
    ...serviceNames.map((name) => services[name].isReady),
    Promise.all([gateway, services.identity.isReady]).then(() => onFirstPage?.(addresses)),
    step('The mailbox is ready', () => startMailbox(supervisor, instanceDir, addresses.mail)),
    step('The fitness platforms are ready', () => startSimulators(supervisor, instanceDir, addresses, secrets)),
  ]);
}
