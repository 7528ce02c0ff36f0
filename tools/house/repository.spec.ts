import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { bundleNames } from '@caravan/caravan/build/build';
import { expect, test } from 'vitest';
import { parse } from 'yaml';

const root = resolve(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(resolve(root, file), 'utf8');

type Job = { readonly steps: readonly { readonly run?: string; readonly uses?: string }[] };
type Images = { readonly strategy: { readonly matrix: { readonly include: readonly { readonly name: string }[] } } };
const workflow = <Jobs>(name: string): Jobs => (parse(read(`.github/workflows/${name}.yml`)) as { jobs: Jobs }).jobs;

test('the release workflow builds the image of every bundle, and of the object store', () => {
  const { images } = workflow<{ images: Images }>('release');
  const built = images.strategy.matrix.include.map(({ name }) => name);
  expect(built.toSorted()).toEqual([...bundleNames, 's3'].toSorted());
});

test('the workflows prove a change and a release by the command that everybody runs', () => {
  for (const [name, job] of [
    ['ci', 'everything'],
    ['release', 'proof'],
  ] as const) {
    const commands = workflow<Record<string, Job>>(name)[job]?.steps.map(({ run }) => run);
    expect(commands, name).toContain('.ci/run');
  }
  expect(existsSync(resolve(root, '.ci/run'))).toBe(true);
});

test('the container for development has the Node that the launcher brings', () => {
  expect(read('.devcontainer/Dockerfile')).toContain(`node:${read('.nvmrc').trim()}-`);
});

test('each file that the templates, the policy and the editor settings name is there', () => {
  const texts = ['.github/ISSUE_TEMPLATE/bug.yml', '.github/pull_request_template.md', 'SECURITY.md'].map(read).join();
  const named = [...texts.matchAll(/\b([\w./-]+\.md)\b/g)].map(([, file = '']) => file);
  expect(named.length).toBeGreaterThan(2);
  expect(named.filter((file) => !existsSync(resolve(root, file)))).toEqual([]);
});

test('the workflow of the site builds it with the command of the check and publishes what that wrote', () => {
  const { build } = workflow<Record<string, Job>>('site');
  const commands = build?.steps.map(({ run }) => run ?? '') ?? [];
  expect(commands.some((command) => command.startsWith('./caravan npx vitepress build docs'))).toBe(true);
  expect(read('docs/.vitepress/config.ts')).toContain("outDir: '../.caravan/site'");
  expect(read('.github/workflows/site.yml')).toContain('path: .caravan/site');
});
