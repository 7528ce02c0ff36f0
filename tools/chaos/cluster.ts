import { join } from 'node:path';
import { serviceNames, type ServiceName } from '@caravan/contracts/events/topics';
import { databasePasswords, databaseUrls } from '@caravan/caravan/servers/databases';
import { type Secrets, secretsOf } from '@caravan/caravan/servers/instance-files';
import { passwordVariableOf } from '@caravan/caravan/operate/operate-env';
import { nodeFlags, nodeVariables } from '@caravan/caravan/process/node-flags';
import type { InstanceDir, ProcessName } from '@caravan/caravan/process/paths';
import { freePort, isReadyAt } from '@caravan/caravan/process/ports';
import { byService } from '@caravan/caravan/servers/product';
import { runTool } from '@caravan/caravan/process/programs';
import { mailAddresses, startMailbox, startServers } from '@caravan/caravan/servers/servers';
import type { Program, Supervisor } from '@caravan/caravan/process/supervisor';
import { type Addresses, gatewayVariables, serviceVariables } from '@caravan/caravan/servers/variables';
import { Client } from '@caravan/event-store/postgres/client';
import { Front } from './front.ts';
import { type Release, thisRelease } from './release.ts';

/** The gateway last: through it people reach what is new. */
export const processNames: readonly ProcessName[] = [...serviceNames, 'gateway'];

type Running = { readonly name: string; readonly port: number; readonly metricsPort: number };

/** A cluster in small: a front before each service and the gateway, behind it processes of whichever release. */
export class Cluster {
  readonly #fronts = new Map<ProcessName, Front>();
  readonly #running = new Map<ProcessName, readonly Running[]>();
  readonly #supervisor: Supervisor;
  readonly #instanceDir: InstanceDir;
  readonly #secrets: Secrets;
  #addresses: Addresses | undefined;
  #started = 0;

  constructor(supervisor: Supervisor, instanceDir: InstanceDir) {
    this.#supervisor = supervisor;
    this.#instanceDir = instanceDir;
    this.#secrets = secretsOf(instanceDir);
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
    for (const name of processNames) this.#fronts.set(name, await Front.open());
    const passwords = databasePasswords(this.#secrets);
    const services = await byService((service) => this.#front(service).url);
    this.#addresses = {
      url: this.#front('gateway').url,
      postgres: await byService((service) => databaseUrls(postgres, passwords, service).runtime),
      kafka,
      redis,
      s3,
      services,
      platforms: {},
      mail: await mailAddresses(await freePort()),
    };
    await startMailbox(this.#supervisor, this.#instanceDir, this.#addresses.mail);
    const runtime = serviceNames.map((service) => [passwordVariableOf(service), passwords.runtime(service)] as const);
    return {
      ...this.#variablesOf('identity', { port: 0, metricsPort: 0 }, thisRelease),
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

  #variablesOf(
    name: ProcessName,
    { port, metricsPort }: Omit<Running, 'name'>,
    release: Release,
  ): Record<string, string> {
    const web = join(release.folder, 'dist/web');
    const own =
      name === 'gateway'
        ? gatewayVariables(this.addresses, this.#secrets, web, 'chaos')
        : serviceVariables(name as ServiceName, this.addresses, this.#secrets, 'chaos');
    return { ...own, PORT: String(port), ...(metricsPort > 0 && { METRICS_PORT: String(metricsPort) }) };
  }

  /** One more process, which is sent requests once it is ready. */
  async add(name: ProcessName, release: Release): Promise<void> {
    const port = await freePort();
    const metricsPort = await freePort();
    const bundle = join(release.folder, 'dist', name, 'main.js');
    const args = [...nodeFlags, `--diagnostic-dir=${this.#instanceDir.log}`, bundle];
    const program: Program = {
      name: `${name}-${(this.#started += 1)}`,
      kind: name === 'gateway' ? 'gateway' : 'service',
      command: process.execPath,
      args,
      marker: args.join(' '),
      stopSignal: 'SIGTERM',
      variables: { ...this.#variablesOf(name, { port, metricsPort }, release), ...nodeVariables },
      isReady: () => isReadyAt(`http://127.0.0.1:${port}`),
    };
    await this.#supervisor.start(program);
    this.#front(name).takeIn(port);
    this.#running.set(name, [...this.#processesOf(name), { name: program.name, port, metricsPort }]);
  }

  /** Ends the oldest one, which is left alone by new connections before. */
  async remove(name: ProcessName): Promise<void> {
    const [oldest, ...others] = this.#processesOf(name);
    if (!oldest) throw new Error(`There is no process of ${name}.`);
    this.#running.set(name, others);
    this.#front(name).leaveOut(oldest.port);
    await this.#supervisor.stop(oldest.name);
  }

  /** As Kubernetes does it: in first, then out, and out only from new connections until it has ended. */
  async replace(name: ProcessName, release: Release): Promise<void> {
    const isFirst = this.#processesOf(name).length === 0;
    await this.add(name, release);
    if (!isFirst) await this.remove(name);
  }

  /** Kills the newest one, and waits until it is back. */
  async crash(name: ProcessName): Promise<void> {
    const newest = this.newestOf(name);
    this.#front(name).leaveOut(newest.port);
    await this.#supervisor.crash(newest.name);
    this.#front(name).takeIn(newest.port);
  }

  newestOf(name: ProcessName): Running {
    const newest = this.#processesOf(name).at(-1);
    if (!newest) throw new Error(`There is no process of ${name}.`);
    return newest;
  }

  #processesOf = (name: ProcessName): readonly Running[] => this.#running.get(name) ?? [];

  /** Consumers and keys that stand still, and messages that Kafka refused. */
  async parkedKeys(): Promise<string[]> {
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

/** Makes databases and topics what the release needs. */
export const prepare = ({ folder }: Release, variables: Record<string, string>, signal: AbortSignal): Promise<string> =>
  runTool(process.execPath, [join(folder, 'dist/operate/main.js'), 'prepare'], { signal, variables });
