import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { root } from '../process/paths.ts';

/** A checkout with one package to run the product and one to test it, and an npm that writes down what it is asked. */
let checkout: string;
let bin: string;

const npm = `#!/usr/bin/env node
const { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } = require('node:fs');
const words = process.argv.slice(2);
appendFileSync('npm-calls', words.join(' ') + '\\n');
if (words[0] === 'ci') rmSync('node_modules', { recursive: true, force: true });
const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
const wanted = Object.entries(packages).filter(([path, { dev }]) => path !== '' && !(dev && words.includes('--omit=dev')));
for (const [path] of wanted) {
  mkdirSync(path, { recursive: true });
  writeFileSync(path + '/package.json', '{ "type": "module", "exports": "./index.js" }');
  writeFileSync(path + '/index.js', '');
}
writeFileSync('node_modules/.package-lock.json', JSON.stringify({ packages: Object.fromEntries(wanted) }));
`;

const lock = (version: string) =>
  JSON.stringify({
    packages: {
      '': {},
      'node_modules/tsx': { version },
      'node_modules/vitest': { version, dev: true },
    },
  });

beforeEach(() => {
  checkout = mkdtempSync(join(tmpdir(), 'checkout of Müller & Söhne '));
  bin = join(checkout, 'bin');
  mkdirSync(bin);
  for (const file of ['caravan', '.nvmrc', 'tools/caravan/build/packages.mjs', 'infra/local/toolchain'])
    cpSync(join(root, file), join(checkout, file), { recursive: true });
  writeFileSync(join(checkout, 'package-lock.json'), lock('1.0.0'));
  writeFileSync(join(checkout, 'tools/caravan/main.ts'), "console.log('launched', process.argv[2]);");
  writeFileSync(join(bin, 'npm'), npm, { mode: 0o755 });
});
afterEach(() => rmSync(checkout, { recursive: true, force: true }));

function caravan(...words: string[]): string {
  // Without Maven nothing is downloaded.
  const PATH = [bin, dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter);
  mkdirSync(join(checkout, '.caravan/stamps'), { recursive: true });
  writeFileSync(join(checkout, '.caravan/stamps/jars'), '');
  const { stdout, stderr, status } = spawnSync('sh', ['caravan', ...words], {
    cwd: checkout,
    encoding: 'utf8',
    env: { PATH },
  });
  expect([status, stderr]).toEqual([0, '']);
  return stdout;
}

function npmCalls(): string[] {
  const file = join(checkout, 'npm-calls');
  const calls = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
  rmSync(file, { force: true });
  return calls.map((call) => call.replace(/ --no-audit.*/, ''));
}

const isInstalled = (name: string): boolean => existsSync(join(checkout, 'node_modules', name));

test('`up` on a new checkout installs what runs the product and nothing that tests it', () => {
  expect(caravan('up')).toContain('launched up');
  expect(npmCalls()).toEqual(['ci --omit=dev']);
  expect([isInstalled('tsx'), isInstalled('vitest')]).toEqual([true, false]);
  caravan('up');
  expect(npmCalls()).toEqual([]);
});

test.each(['test', 'check', 'bench', 'docs'])(
  '`%s` after `up` adds the packages for tests to those that are there',
  (command) => {
    caravan('up');
    npmCalls();
    expect(caravan(command)).toContain(`launched ${command}`);
    expect(npmCalls()).toEqual(['install --no-save --include=dev']);
    expect([isInstalled('tsx'), isInstalled('vitest')]).toEqual([true, true]);
  },
);

test('`up` after `test` leaves the packages for tests where they are', () => {
  caravan('test');
  expect(npmCalls()).toEqual(['ci --include=dev']);
  caravan('up');
  caravan('test');
  expect(npmCalls()).toEqual([]);
  expect(isInstalled('vitest')).toBe(true);
});

test('a new lockfile brings the packages for tests again where they were, also by `up`', () => {
  caravan('test');
  npmCalls();
  writeFileSync(join(checkout, 'package-lock.json'), lock('2.0.0'));
  caravan('up');
  expect(npmCalls()).toEqual(['ci --include=dev']);
});

test('a checkout whose packages were all installed by npm itself asks nothing of it', () => {
  spawnSync(join(bin, 'npm'), ['ci'], { cwd: checkout });
  npmCalls();
  caravan('up');
  caravan('check');
  expect(npmCalls()).toEqual([]);
});
