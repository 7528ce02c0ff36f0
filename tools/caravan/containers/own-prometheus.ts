import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { freePort } from '../ports.ts';

export type OwnPrometheus = {
  /** The series that a query comes to, now. */
  ask: (query: string) => Promise<{ metric: Record<string, string>; value: number }[]>;
  close: () => Promise<void>;
};

const answerSchema = z.object({
  data: z.object({
    result: z.array(z.object({ metric: z.record(z.string(), z.string()), value: z.tuple([z.number(), z.string()]) })),
  }),
});

/** A Prometheus of this machine that looks at `targets` every second. */
export async function startPrometheus(targets: readonly string[]): Promise<OwnPrometheus> {
  const folder = mkdtempSync(join(tmpdir(), 'caravan-prometheus-'));
  const settings = join(folder, 'prometheus.json');
  const scrape = { job_name: 'caravan', static_configs: [{ targets }] };
  writeFileSync(settings, JSON.stringify({ global: { scrape_interval: '1s' }, scrape_configs: [scrape] }));
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
    close: async () => {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
