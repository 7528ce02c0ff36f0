import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { processEnvSchema, serviceEnvSchema, storagePlaceSchema } from '@caravan/service-kit/process/env';
import { expect, test } from 'vitest';
import { activityEnvSchema } from '@caravan/activity/env';
import { gatewayEnvSchema } from '../../gateway/src/env.ts';
import { identityEnvSchema } from '../../services/identity/src/env.ts';
import { integrationsEnvSchema } from '../../services/integrations/src/env.ts';
import { operateEnvSchema } from '../caravan/operate/operate-env.ts';

const root = join(import.meta.dirname, '../..');
const suffixes =
  'controller|query|store|system.query|system.store|service|projection|consumer|job|queue|client|guard|filter|decorator|module|spec|int.spec|e2e.spec';
const kebab = '[a-z0-9]+(-[a-z0-9]+)*';

const isForeign = (path: string) => /(^|\/)(node_modules|dist|generated|coverage)(\/|$)|\.gen\.tsx?$/.test(path);
const files = (...patterns: string[]) =>
  globSync(patterns, { cwd: root, exclude: isForeign }).filter((path) => !isForeign(path));
const textOf = (path: string) => readFileSync(join(root, path), 'utf8');

const features = files('services/*/src/*/**/*.ts', 'web/src/features/**/*.{ts,tsx}');

test('no test is singled out, skipped or put off', () => {
  const sources = files('{libs,services,gateway,web,e2e}/**/*.{ts,tsx}');
  expect(sources.filter((path) => /\b(test|it|describe|suite)(\.\w+)*\.(only|skip|todo)\(/.test(textOf(path)))).toEqual(
    [],
  );
});

test('a file of a feature is named in kebab-case and carries a suffix of the closed list or none', () => {
  const name = new RegExp(`^${kebab}(\\.(${suffixes.replaceAll('.', '\\.')}))?\\.tsx?$`);
  expect(features.filter((path) => !name.test(basename(path)))).toEqual([]);
});

test('a feature has at most 16 files besides its specs', () => {
  const sizes = new Map<string, number>();
  for (const path of features.filter((file) => !file.includes('.spec.'))) {
    sizes.set(dirname(path), (sizes.get(dirname(path)) ?? 0) + 1);
  }
  expect([...sizes].filter(([, size]) => size > 16)).toEqual([]);
});

test('folders under src go at most three deep', () => {
  const sources = files('{services/*,gateway,web}/src/**/*.{ts,tsx}');
  expect(sources.filter((path) => path.slice(path.indexOf('src/')).split('/').length > 5)).toEqual([]);
});

test('main.ts of a service has at most 15 lines', () => {
  const mains = files('services/*/src/main.ts', 'gateway/src/main.ts');
  expect(mains.filter((path) => textOf(path).trim().split('\n').length > 15)).toEqual([]);
});

test('versions stand once, in the root package.json', () => {
  const workspaces = files('{libs,services,tools}/*/package.json', '{gateway,web,bench,e2e}/package.json');
  const withVersions = workspaces.filter((path) => /"(dev|peer)?[dD]ependencies"/.test(textOf(path)));
  expect(workspaces.length).toBeGreaterThan(0);
  expect(withVersions).toEqual([]);
});

test('.env.example names every variable that a process reads', () => {
  const example = textOf('.env.example');
  const schemas = files('{libs,services,gateway}/**/env.ts').map(textOf).join('\n');
  const read = [...schemas.matchAll(/^\s+([A-Z][A-Z\d_]+):/gm)].map(([, name = '']) => name);
  expect(read.length).toBeGreaterThan(10);
  expect(read.filter((name) => !new RegExp(`^${name}=`, 'm').test(example))).toEqual([]);
});

const namesIn = (text: string) => [...text.matchAll(/^([A-Z][A-Z\d_]+)=/gm)].map(([, name = '']) => name);

test('.env.example names each variable once, and no variable that nobody reads', () => {
  const names = namesIn(textOf('.env.example'));
  const compose = textOf('infra/docker-compose.yml');
  const ofCompose = [...compose.matchAll(/\$\{(\w+)/g)].map(([, name = '']) => name);
  const ofServices = { ...identityEnvSchema.shape, ...activityEnvSchema.shape, ...integrationsEnvSchema.shape };
  const schemas = { ...ofServices, ...gatewayEnvSchema.shape, ...operateEnvSchema.shape };
  const read = new Set([...Object.keys(schemas), ...ofCompose, 'COMPOSE_PROFILES']);
  expect(names.filter((name, nth) => names.indexOf(name) !== nth)).toEqual([]);
  expect(names.filter((name) => !read.has(name))).toEqual([]);
});

test('.env.example says by its sections which process reads a variable', () => {
  const sections = textOf('.env.example').split(/^# --- /m);
  const [, everyProcess = '', storage = '', everyService = '', ...ofOne] = sections;
  const [identity = '', activity = '', integrations = '', gateway = ''] = ofOne;
  const all = Object.keys(processEnvSchema.shape);
  const services = Object.keys(serviceEnvSchema.shape);
  const sortNames = (names: readonly string[]) => names.toSorted();
  // Where people reach the product is for services and gateway alike.
  expect(sortNames(namesIn(everyProcess))).toEqual(sortNames([...all, 'PUBLIC_URL']));
  expect(sortNames(namesIn(storage))).toEqual(sortNames(Object.keys(storagePlaceSchema.shape)));
  const shared = [...namesIn(everyProcess), ...namesIn(storage)];
  expect(sortNames(namesIn(everyService))).toEqual(sortNames(services.filter((name) => !shared.includes(name))));
  const ownOf = (shape: object) => Object.keys(shape).filter((name) => !services.includes(name));
  expect(sortNames(namesIn(identity))).toEqual(sortNames(ownOf(identityEnvSchema.shape)));
  expect(sortNames(namesIn(activity))).toEqual(sortNames(ownOf(activityEnvSchema.shape)));
  expect(sortNames(namesIn(integrations))).toEqual(sortNames(ownOf(integrationsEnvSchema.shape)));
  const before = [...shared, ...namesIn(identity)];
  expect(sortNames(namesIn(gateway))).toEqual(
    sortNames(Object.keys(gatewayEnvSchema.shape).filter((name) => !before.includes(name))),
  );
});
