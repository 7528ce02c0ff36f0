import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { freePort } from '../process/ports.ts';

export type OwnPrometheus = {
  /** The series that a query comes to, now. */
  ask: (query: string) => Promise<{ metric: Record<string, string>; value: number }[]>;
  /** The names of the alerts that call somebody, now. */
  firing: () => Promise<string[]>;
  close: () => Promise<void>;
};

const answerSchema = z.object({
  data: z.object({
    result: z.array(z.object({ metric: z.record(z.string(), z.string()), value: z.tuple([z.number(), z.string()]) })),
  }),
});

const alertsSchema = z.object({
  data: z.object({ alerts: z.array(z.object({ labels: z.object({ alertname: z.string() }), state: z.string() })) }),
});

/** A Prometheus of this machine that looks at `targets`, and at the rules of `ruleFiles`, every second. */
export async function startPrometheus(
  targets: readonly string[],
  ruleFiles: readonly string[] = [],
): Promise<OwnPrometheus> {
  const folder = mkdtempSync(join(tmpdir(), 'caravan-prometheus-'));
  const settings = join(folder, 'prometheus.json');
  const scrape = { job_name: 'caravan', static_configs: [{ targets }] };
  const global = { scrape_interval: '1s', evaluation_interval: '1s' };
  writeFileSync(settings, JSON.stringify({ global, scrape_configs: [scrape], rule_files: ruleFiles }));
  const url = `http://127.0.0.1:${await freePort()}`;
  const args = [
    `--config.file=${settings}`,
    `--storage.tsdb.path=${folder}/data`,
    `--web.listen-address=${new URL(url).host}`,
  ];
  const child = spawn('prometheus', args, { stdio: 'ignore' });
  return {
    ask: async (query) => {
      const answer = await fetch(`${url}/api/v1/query?${new URLSearchParams({ query }).toString()}`);
      if (!answer.ok) throw new Error(`${query}: ${await answer.text()}`);
      const { data } = answerSchema.parse(await answer.json());
      return data.result.map(({ metric, value: [, value] }) => ({ metric, value: Number(value) }));
    },
    firing: async () => {
      const answer = await fetch(`${url}/api/v1/alerts`);
      const { data } = alertsSchema.parse(await answer.json());
      return [...new Set(data.alerts.filter(({ state }) => state === 'firing').map(({ labels }) => labels.alertname))];
    },
    close: async () => {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
