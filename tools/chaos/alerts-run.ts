import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startPrometheus } from '@caravan/caravan/containers/own-prometheus';
import { root } from '@caravan/caravan/process/paths';
import { freezeTree } from '@caravan/caravan/process/process-tree';
import type { Supervisor } from '@caravan/caravan/process/supervisor';
import { print } from '@caravan/caravan/process/terminal';
import { Client } from '@caravan/event-store/postgres/client';
import { alertsDrill, type Watched } from './alerts.ts';
import { type Cluster, processNames } from './cluster.ts';
import { onCluster } from './replicas-run.ts';

const rules = join(root, 'infra/observability/prometheus/alerts.yml');
/** More than twice within a quarter of an hour. */
const crashes = 3;
/** Whoever ends before Prometheus has looked has never been there for it. */
const livesMilliseconds = 5_000;

function troublesOf(cluster: Cluster, supervisor: Supervisor): Watched['troubles'] {
  const hangs = (what: string, program: string, expected: readonly string[]) => ({
    what: `${what} hangs`,
    expected,
    begin: () => {
      const pid = supervisor.pids[program];
      if (pid === undefined) throw new Error(`There is no program ${program}.`);
      return Promise.resolve(freezeTree(pid));
    },
  });
  return [
    hangs('Kafka', 'kafka', ['CaravanOutboxStands', 'CaravanDependencyAway']),
    hangs('scoring', cluster.newestOf('scoring').name, ['CaravanProcessDown', 'CaravanDependencyAway']),
    hangs('Redis', 'redis', ['CaravanDependencyAway']),
    {
      what: 'a forgotten session locks the rows of a consumer group',
      expected: ['CaravanBacklogWithoutProgress'],
      begin: () => lockGroup(cluster.addresses.postgres.social, 'social.post-movements'),
    },
    {
      what: 'social is killed again and again',
      expected: ['CaravanCrashes'],
      looksBack: true,
      begin: async () => {
        for (let nth = 0; nth < crashes; nth += 1) {
          await cluster.crash('social');
          await pause(livesMilliseconds);
        }
        return () => undefined;
      },
    },
  ];
}

async function lockGroup(connectionString: string, group: string): Promise<() => void> {
  const session = new Client({ connectionString });
  await session.connect();
  await session.query('set idle_in_transaction_session_timeout = 0');
  await session.query('begin');
  const { rowCount } = await session.query('select from msg.offsets where consumer_group = $1 for update', [group]);
  if (rowCount === 0) throw new Error(`There is no consumer group ${group}.`);
  return () => void session.end();
}

/** With the alerts that operators get, by a Prometheus of this machine. Returns the exit code. */
export const alertsAfter = (minutes: number): Promise<number> =>
  onCluster('alerts', 1, async (cluster, supervisor) => {
    const targets = processNames.map((name) => `127.0.0.1:${cluster.newestOf(name).metricsPort}`);
    const prometheus = await startPrometheus(targets, [rules]);
    try {
      const { url } = cluster.addresses;
      const { firing } = prometheus;
      await alertsDrill({ url, firing, troubles: troublesOf(cluster, supervisor) }, minutes, print);
    } finally {
      await prometheus.close();
    }
  });
