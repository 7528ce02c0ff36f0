import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { serviceNames } from '@caravan/contracts/events/topics';
import { expect, test } from 'vitest';
import { besideRooms, filesBesideFolders, foldersInOrder, roomsInOrder } from './rooms.ts';

const root = join(import.meta.dirname, '../..');

const subscription = /@Consumes\(\{\s*group: '([^']+)',\s*from: '([^']+)'/g;

/** Groups and sources that more than one of the files consumes. */
function torn(consumers: Readonly<Record<string, string>>): string[] {
  const files = new Map<string, Set<string>>();
  for (const [path, text] of Object.entries(consumers))
    for (const [, group = '', from = ''] of text.matchAll(subscription)) {
      const what = `${group} from ${from}`;
      files.set(what, (files.get(what) ?? new Set()).add(basename(path)));
    }
  return [...files].flatMap(([what, where]) => (where.size > 1 ? [`${what}: ${[...where].join(', ')}`] : []));
}

test('every service has its rooms in order', () => {
  expect(Object.keys(roomsInOrder).toSorted()).toEqual([...serviceNames].toSorted());
});

test.each(Object.entries(roomsInOrder))(
  'each room that %s names is there, and each that is there is named',
  (service, order) => {
    const src = join(root, 'services', service, 'src');
    const folders = globSync('*/', { cwd: src }).map((folder) => basename(folder));
    expect(folders.filter((folder) => !besideRooms.includes(folder)).toSorted()).toEqual([...order].toSorted());
    expect(order.filter((room) => globSync('**/*.ts', { cwd: join(src, room) }).length === 0)).toEqual([]);
  },
);

test.each(Object.entries(foldersInOrder))(
  '%s has the folders that are named for it, test support aside, and only the named files beside them',
  (path, order) => {
    const home = join(root, path);
    const folders = globSync('*/', { cwd: home }).map((folder) => basename(folder));
    const support = ['testing', 'migrations', 'samples'];
    expect(folders.filter((folder) => !support.includes(folder)).toSorted()).toEqual([...order].toSorted());
    const files = globSync('*.ts', { cwd: home }).filter((file) => !file.endsWith('.spec.ts'));
    expect(files.toSorted()).toEqual(filesBesideFolders[path] ?? []);
  },
);

test('what one group consumes of one source stands in one file', () => {
  const consume = (group: string, from: string) => `@Consumes({ group: '${group}', from: '${from}', contract: it })`;
  const one = {
    'a.consumer.ts': consume('g', 'identity') + consume('g', 'activity'),
    'b.consumer.ts': consume('h', 'identity'),
  };
  expect(torn(one)).toEqual([]);
  expect(torn({ ...one, 'c.consumer.ts': consume('h', 'identity') })).toEqual([
    'h from identity: b.consumer.ts, c.consumer.ts',
  ]);
  for (const service of Object.keys(roomsInOrder)) {
    const files = globSync(`services/${service}/src/**/*.consumer.ts`, { cwd: root });
    expect(torn(Object.fromEntries(files.map((path) => [path, readFileSync(join(root, path), 'utf8')])))).toEqual([]);
  }
});
