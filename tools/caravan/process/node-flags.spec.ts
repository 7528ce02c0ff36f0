import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { expect, onTestFinished, test } from 'vitest';
import { nodeFlags, nodeVariables } from './node-flags.ts';
import { root } from './paths.ts';

test.each([
  ['names its source in own code', 'own', /thrower\.ts:1/],
  ['stands as it is loaded in packages', 'node_modules/package', /main\.js:\d/],
])('a stack %s', async (_, folder, place) => {
  const work = mkdtempSync(join(tmpdir(), 'caravan-flags-'));
  onTestFinished(() => rmSync(work, { recursive: true }));
  const outfile = join(work, folder, 'main.js');
  const contents = `export const fails = (): never => { throw new Error('on purpose') }; fails();`;
  const stdin = { contents, sourcefile: 'thrower.ts', loader: 'ts' as const };
  await build({ stdin, outfile, bundle: true, platform: 'node', format: 'cjs', sourcemap: true });
  expect(spawnSync(process.execPath, [...nodeFlags, outfile], { encoding: 'utf8' }).stderr).toMatch(place);
});

test('images run as `up` does', () => {
  const dockerfile = readFileSync(join(root, 'infra/docker/Dockerfile'), 'utf8');
  expect(dockerfile).toContain(
    `ENTRYPOINT ${JSON.stringify(['node', ...nodeFlags, 'main.js']).replaceAll('","', '", "')}`,
  );
  for (const [name, value] of Object.entries(nodeVariables)) expect(dockerfile).toContain(` ${name}=${value}\n`);
});
