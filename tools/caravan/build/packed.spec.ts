import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type LockedPackages, packageOf, packedFolders } from './packed.ts';

const locked: LockedPackages = {
  'node_modules/web-server': {
    dependencies: { parser: '1', log: '2' },
    optionalDependencies: { fast: '1', gone: '1' },
    peerDependencies: { 'left-out': '1' },
  },
  'node_modules/left-out': { link: true },
  'node_modules/web-server/node_modules/log': { dependencies: { parser: '1' } },
  'node_modules/log': {},
  'node_modules/parser': {
    peerDependencies: { shape: '1', extra: '1' },
    peerDependenciesMeta: { extra: { optional: true } },
  },
  'node_modules/shape': {},
  'node_modules/extra': {},
  'node_modules/fast': {},
  'node_modules/never-asked-for': {},
};

test('an image gets what a bundle asks for and what that needs, and nothing else', () => {
  expect(packedFolders(['web-server'], locked)).toEqual([
    'node_modules/fast',
    'node_modules/parser',
    'node_modules/shape',
    'node_modules/web-server',
    'node_modules/web-server/node_modules/log',
  ]);
});

test('a package is found where Node finds it: beside the one who asks, else above', () => {
  expect(packedFolders(['log'], locked)).toEqual(['node_modules/log']);
});

test('a bundle that asks for what the lockfile does not know is not packed', () => {
  expect(() => packedFolders(['unknown'], locked)).toThrow('A bundle needs unknown');
});

test('a part of a package belongs to the package', () => {
  expect(['pg', 'jose/jwt/verify', '@nestjs/core', '@nestjs/core/router'].map(packageOf)).toEqual([
    'pg',
    'jose',
    '@nestjs/core',
    '@nestjs/core',
  ]);
});

test('the lockfile knows every package that the product needs', () => {
  const read = (file: string) =>
    JSON.parse(readFileSync(join(import.meta.dirname, '../../..', file), 'utf8')) as object;
  const { dependencies } = read('package.json') as { dependencies: Record<string, string> };
  const { packages } = read('package-lock.json') as { packages: LockedPackages };
  expect(packedFolders(Object.keys(dependencies), packages)).toContain('node_modules/@nestjs/core');
});
