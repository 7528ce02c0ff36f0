import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { root } from '../process/paths.ts';

const execute = promisify(execFile);
const folder = join(root, 'infra/observability/prometheus');

test('Prometheus takes its settings and rules', async () => {
  await expect(execute('promtool', ['check', 'config', join(folder, 'prometheus.yml')])).resolves.toBeTruthy();
});

test('alerts fire when they are meant to, and are silent else', async () => {
  const { stdout } = await execute('promtool', ['test', 'rules', join(folder, 'alerts.test.yml')]);
  expect(stdout).toContain('SUCCESS');
});
