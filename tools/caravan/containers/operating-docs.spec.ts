import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../process/paths.ts';
import { composeServices } from './compose-file.ts';
import { baseManifests } from './manifests.ts';

const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const [compose, kubernetes] = ['compose', 'kubernetes'].map((name) => read(`docs/operate/${name}.md`));

const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^a-z0-9 -]/g, '')
    .replaceAll(' ', '-');

test('what the documents for operators refer to is there', () => {
  const files = globSync('docs/operate/*.md', { cwd: root });
  expect(files.length).toBeGreaterThan(2);
  for (const file of files) {
    for (const [, target = ''] of read(file).matchAll(/\]\((?!https?:)([^)]+)\)/g)) {
      const [path = '', anchor] = target.split('#');
      const named = path === '' ? file : join(dirname(file), path);
      expect([file, target, existsSync(join(root, named))]).toEqual([file, target, true]);
      if (anchor === undefined) continue;
      const headings = [...read(named).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading));
      expect([file, target, headings.includes(anchor)]).toEqual([file, target, true]);
    }
  }
});

test('every command of an operator in containers is told', () => {
  const commands = [
    ...(read('tools/caravan/operate/operate.ts').split('const commands')[1] ?? '').matchAll(
      /^ {2}'?([a-z-]+)'?(?:: \(|,$)/gm,
    ),
  ].map(([, name]) => name);
  const table = /^## Operators' commands$([\s\S]*?)^## /m.exec(compose ?? '')?.[1] ?? '';
  const told = [...table.matchAll(/^\| `([a-z-]+)/gm)].map(([, name]) => name);
  expect(commands.length).toBeGreaterThan(5);
  expect(told.toSorted()).toEqual(commands.filter((name) => name !== 'prepare').toSorted());
});

test('every secret that a cluster needs is told, with its keys', () => {
  const referred = JSON.stringify(baseManifests()).matchAll(/"secretKeyRef":\{"name":"([\w-]+)","key":"(\w+)"\}/g);
  for (const [, name = '', key = ''] of referred) {
    const row = (kubernetes ?? '')
      .split('\n')
      .find((line) => line.includes(`\`${name}\``) || line.includes(`\`${name.replace('postgres', '')}\``));
    expect([name, key, row?.includes(`\`${key}\``)]).toEqual([name, key, true]);
  }
});

test('what is run by name in the documents for Compose is a part or a profile of the file', () => {
  const services = composeServices(read('infra/docker-compose.yml'));
  const profiles = Object.values(services).flatMap((service) => service.profiles);
  const run = [...(compose ?? '').matchAll(/run --rm (?:--no-deps )?([a-z]+)/g)].map(([, name = '']) => name);
  const asked = [...(compose ?? '').matchAll(/--profile ([a-z]+)/g)].map(([, name = '']) => name);
  expect(run.length + asked.length).toBeGreaterThan(2);
  expect(run.filter((name) => !(name in services))).toEqual([]);
  expect(asked.filter((name) => !profiles.includes(name))).toEqual([]);
});
