import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { serviceNames, type ServiceName } from '@caravan/contracts/topics';
import { buildProduct } from '@caravan/caravan/build';
import { databasePasswords, databaseUrls } from '@caravan/caravan/databases';
import { inForeground } from '@caravan/caravan/foreground';
import { type Secrets, secretsOf } from '@caravan/caravan/instance-files';
import { passwordVariableOf } from '@caravan/caravan/operate-env';
import { type InstanceDir, instanceDirAt, instanceDirs, type ProcessName } from '@caravan/caravan/paths';
import { answers, freePort } from '@caravan/caravan/ports';
import { byService } from '@caravan/caravan/product';
import { runTool } from '@caravan/caravan/programs';
import { mailAddresses, startMailbox, startServers } from '@caravan/caravan/servers';
import type { Program, Supervisor } from '@caravan/caravan/supervisor';
import { print, step } from '@caravan/caravan/terminal';
import { downloadJars, requireTools, toolsToRun } from '@caravan/caravan/toolchain';
import { type Addresses, gatewayVariables, serviceVariables } from '@caravan/caravan/variables';
import { Client } from 'pg';
import { Front } from './front.ts';
import { previousRelease, type Release, thisRelease } from './release.ts';
import { type Rollout, upgradeDrill } from './upgrade.ts';

const names: readonly ProcessName[] = [...serviceNames, 'gateway'];

/** A cluster in small: a front before each service and the gateway, behind it processes of whichever release. */
class Cluster {
  readonly #fronts = new Map<ProcessName, Front>();
  readonly #running = new Map<ProcessName, { name: string; port: number }>();
  readonly #supervisor: Supervisor;
  readonly #instanceDir: InstanceDir;
  readonly #secrets: Secrets;
  #addresses: Addresses | undefined;
  #started = 0;

  constructor(supervisor: Supervisor, instanceDir: InstanceDir, secrets: Secrets) {
    this.#supervisor = supervisor;
    this.#instanceDir = instanceDir;
    this.#secrets = secrets;
  }

  get addresses(): Addresses {
    if (!this.#addresses) throw new Error('The servers are not started.');
    return this.#addresses;
  }

  /** Answers what `prepare` of a release needs. */
  async startServers(): Promise<Record<string, string>> {
    const starting = startServers(this.#supervisor, this.#instanceDir, this.#secrets, { isDurable: true });
    const [postgres, kafka, redis, s3] = await Promise.all([
      starting.postgres,
      starting.kafka,
      starting.redis,
      starting.s3,
    ]);
    for (const name of names) this.#fronts.set(name, await Front.open());
    const passwords = databasePasswords(this.#secrets);
    const services = await byService((service) => this.#front(service).url);
    this.#addresses = {
      url: this.#front('gateway').url,
      postgres: await byService((service) => databaseUrls(postgres, passwords, service).runtime),
      ...{ kafka, redis, s3, services, platforms: {} },
      mail: await mailAddresses(await freePort()),
    };
    await startMailbox(this.#supervisor, this.#instanceDir, this.#addresses.mail);
    const runtime = serviceNames.map((service) => [passwordVariableOf(service), passwords.runtime(service)] as const);
    return {
      ...this.#variablesOf('identity', 0, thisRelease),
      POSTGRES_ADMIN_URL: postgres.superuser,
      POSTGRES_OWNER_PASSWORD: passwords.owner,
      ...Object.fromEntries(runtime),
    };
  }

  #front(name: ProcessName): Front {
    const front = this.#fronts.get(name);
    if (!front) throw new Error(`There is no front for ${name}.`);
    return front;
  }

  #variablesOf(name: ProcessName, port: number, release: Release): Record<string, string> {
    const web = join(release.folder, 'dist/web');
    const own =
      name === 'gateway'
        ? gatewayVariables(this.addresses, this.#secrets, web, 'chaos')
        : serviceVariables(name as ServiceName, this.addresses, this.#secrets, 'chaos');
    return { ...own, PORT: String(port) };
  }

  async #start(name: ProcessName, release: Release): Promise<{ name: string; port: number }> {
    const port = await freePort();
    const bundle = join(release.folder, 'dist', name, 'main.js');
    const args = ['--enable-source-maps', `--diagnostic-dir=${this.#instanceDir.log}`, bundle];
    const question = 'GET /health/ready HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n';
    const program: Program = {
      name: `${name}-${(this.#started += 1)}`,
      kind: name === 'gateway' ? 'gateway' : 'service',
      command: process.execPath,
      args,
      marker: args.join(' '),
      stopSignal: 'SIGTERM',
      variables: this.#variablesOf(name, port, release),
      isReady: () => answers(port, question, 'HTTP/1.1 200'),
    };
    await this.#supervisor.start(program);
    return { name: program.name, port };
  }

  /** As Kubernetes does it: in first, then out, and out only from new connections until it has ended. */
  async replace(name: ProcessName, release: Release): Promise<void> {
    const before = this.#running.get(name);
    const started = await this.#start(name, release);
    this.#front(name).takeIn(started.port);
    this.#running.set(name, started);
    if (!before) return;
    this.#front(name).leaveOut(before.port);
    await this.#supervisor.stop(before.name);
  }

  /** Consumers and keys that stand still, and messages that Kafka refused. */
  async parked(): Promise<string[]> {
    const found: string[] = [];
    for (const service of serviceNames) {
      const client = new Client({ connectionString: this.addresses.postgres[service] });
      await client.connect();
      const { rows } = await client.query<{ what: string }>(
        `select distinct consumer_group || ' ' || key as what from msg.parked
         union select partition_key || ' refused' from es.refused`,
      );
      await client.end();
      found.push(...rows.map(({ what }) => what));
    }
    return found;
  }

  close(): void {
    for (const front of this.#fronts.values()) front.close();
  }
}

const prepare = ({ folder }: Release, variables: Record<string, string>, signal: AbortSignal): Promise<string> =>
  runTool(process.execPath, [join(folder, 'dist/operate/main.js'), 'prepare'], { signal, variables });

/** On an empty folder of its own; `ref`: the release that ran before this one. Returns the exit code. */
export async function upgradeFrom(ref: string | undefined): Promise<number> {
  const instanceDir = instanceDirAt(join(instanceDirs.up, 'upgrade'));
  rmSync(instanceDir.data, { recursive: true, force: true });
  instanceDirAt(instanceDir.folder);
  return inForeground(instanceDir, async (supervisor) => {
    const { signal } = supervisor;
    await requireTools(toolsToRun(), signal);
    await downloadJars(signal);
    const previous = await previousRelease(ref, signal);
    await buildProduct(signal);
    const cluster = new Cluster(supervisor, instanceDir, secretsOf(instanceDir));
    try {
      const variables = await cluster.startServers();
      await step(`${previous.name} is prepared`, () => prepare(previous, variables, signal));
      for (const name of names)
        await step(`${name} of ${previous.name} is ready`, () => cluster.replace(name, previous));
      const rollout: Rollout = {
        url: cluster.addresses.url,
        databases: cluster.addresses.postgres,
        prepare: async () => {
          await prepare(thisRelease, variables, signal);
        },
        replace: (name, version) => cluster.replace(name, version === 'this' ? thisRelease : previous),
        parked: () => cluster.parked(),
      };
      await upgradeDrill(rollout, print);
      return { exitCode: 0 };
    } finally {
      cluster.close();
    }
  });
}
