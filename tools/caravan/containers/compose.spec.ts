import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { activityEnvSchema } from '@caravan/activity/env';
import { type ServiceName, serviceNames } from '@caravan/contracts/events/topics';
import { gatewayEnvSchema } from '@caravan/gateway/env';
import { identityEnvSchema } from '@caravan/identity/env';
import { integrationsEnvSchema } from '@caravan/integrations/env';
import { parseEnv, serviceEnvSchema } from '@caravan/service-kit/process/env';
import { settingsSchema } from '@caravan/simulators/settings';
import { expect, test } from 'vitest';
import { composeEnvText } from '../operate/compose-env.ts';
import { operateEnvSchema, passwordVariableOf } from '../operate/operate-env.ts';
import { root } from '../process/paths.ts';
import { composeServices, envFile, inOrder, interpolate, readCompose } from './compose-file.ts';

const text = readFileSync(join(root, 'infra/docker-compose.yml'), 'utf8');
const written = composeServices(text);
const env = envFile(composeEnvText('Europe/Berlin'));
const services = readCompose(text, env);
const processes = ['gateway', ...serviceNames] as const;

const schemaOf = (process: ServiceName | 'gateway') => {
  if (process === 'gateway') return gatewayEnvSchema;
  const own = { identity: identityEnvSchema, activity: activityEnvSchema, integrations: integrationsEnvSchema };
  return process in own ? own[process as keyof typeof own] : serviceEnvSchema;
};

const variableNames = [...new Set([...text.matchAll(/\$\{(\w+)/g)].map(([, name = '']) => name))];

/** Set by the images. */
const ofTheImage = ['HOST', 'PORT', 'WEB_ROOT'];
/** An operator's commands alone need it. */
const ofTheOwner = 'MIGRATION_DATABASE_URL';
const sortNames = (names: Iterable<string>) => [...names].toSorted();

test.each(processes)('in containers %s is told every setting that it reads, and nothing else', (process) => {
  const read = Object.keys(schemaOf(process).shape).filter((name) => ![...ofTheImage, ofTheOwner].includes(name));
  expect(sortNames(Object.keys(written[process]?.environment ?? {}))).toEqual(sortNames(read));
});

test('what operates an instance is told the settings of every service and how to enter every database', () => {
  const derived = new Set([...ofTheImage, ofTheOwner, 'SERVICE_NAME', 'DATABASE_URL']);
  const ofServices = [...Object.keys(identityEnvSchema.shape), ...Object.keys(integrationsEnvSchema.shape)];
  const read = [...ofServices, ...Object.keys(operateEnvSchema.shape)];
  expect(sortNames(Object.keys(written['prepare']?.environment ?? {}))).toEqual(
    sortNames(new Set(read.filter((name) => !derived.has(name)))),
  );
});

test.each(processes)('with a written .env %s would start', (process) => {
  const ofImage = { HOST: '0.0.0.0', PORT: '3000', WEB_ROOT: '/caravan/dist/web' };
  expect(() => parseEnv(schemaOf(process), { ...ofImage, ...services[process]?.environment })).not.toThrow();
});

test('with a written .env an instance can be prepared', () => {
  expect(() => parseEnv(operateEnvSchema, services['prepare']?.environment ?? {})).not.toThrow();
});

test('a written .env holds every variable without which Compose starts nothing', () => {
  const needed = [...text.matchAll(/\$\{(\w+):\?/g)].map(([, name = '']) => name);
  expect(needed.length).toBeGreaterThan(10);
  expect(needed.filter((name) => (env[name] ?? '') === '')).toEqual([]);
  for (const name of needed)
    expect(() => readCompose(text, { ...env, [name]: undefined })).toThrow(`${name} is missing: set it in .env`);
});

test('no secret of the containers has a default, and none is written twice', () => {
  const secrets = variableNames.filter((name) => /PASSWORD$|_KEY$|CREDENTIAL/.test(name));
  expect(secrets.length).toBeGreaterThan(10);
  for (const name of secrets) {
    expect(text).toContain(`\${${name}:?`);
    expect(text).not.toContain(`\${${name}:-`);
  }
  const values = secrets.map((name) => env[name]);
  expect(new Set(values).size).toBe(values.length);
  const again = envFile(composeEnvText('UTC'));
  expect(secrets.filter((name) => again[name] === env[name])).toEqual([]);
});

test('every variable of the containers is one of .env.example', () => {
  const known = envFile(readFileSync(join(root, '.env.example'), 'utf8'));
  expect([...variableNames, ...Object.keys(env)].filter((name) => !(name in known))).toEqual([]);
});

test('in containers every database role has a password of its own, and so has Redis', () => {
  const roles = [...text.matchAll(/postgresql:\/\/(\w+):\$\{(\w+)\}@postgres/g)].map(([, role, name]) => [role, name]);
  expect(new Map(roles.map(([role = '', name = '']) => [role, name]))).toEqual(
    new Map([
      ['postgres', 'POSTGRES_PASSWORD'],
      ...serviceNames.map((name) => [`caravan_${name}_rw`, passwordVariableOf(name)] as const),
    ]),
  );
  expect(services['redis']?.command).toContain(`--requirepass ${env['REDIS_PASSWORD']}`);
  expect(services['gateway']?.environment['REDIS_URL']).toBe(`redis://:${env['REDIS_PASSWORD']}@redis:6379`);
});

test('the gateway, and nobody but the one that prepares, is told no key and no password of another one', () => {
  const settingsOf = (name: string) => Object.values(services[name]?.environment ?? {}).join('\n');
  for (const name of serviceNames) {
    const others = serviceNames.filter((other) => other !== name).map((other) => env[passwordVariableOf(other)] ?? '');
    for (const secret of [...others, env['POSTGRES_PASSWORD'] ?? '', env['POSTGRES_OWNER_PASSWORD'] ?? ''])
      expect(settingsOf(name)).not.toContain(secret);
  }
  for (const name of [
    'S3_SECRET_KEY',
    'PHOTO_ADDRESS_KEY',
    'CURSOR_KEY',
    'KEY_ENCRYPTION_KEY',
    'PROVIDER_TOKEN_KEY',
    ...serviceNames.map(passwordVariableOf),
  ])
    expect(settingsOf('gateway')).not.toContain(env[name]);
});

test('what we build runs without rights, on a root that cannot be written, and is given time to end', () => {
  const own = Object.entries(services).filter(([, { build }]) => build !== undefined);
  expect(own.length).toBe(10);
  for (const [name, service] of own) {
    expect(service, name).toMatchObject({
      read_only: true,
      tmpfs: ['/tmp'],
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges'],
      init: true,
      stop_grace_period: '30s',
    });
  }
});

test('people reach the gateway, and an operator what is for operators; nothing else is published', () => {
  const published = Object.entries(services).filter(([, { ports }]) => ports.length > 0);
  expect(sortNames(published.map(([name]) => name))).toEqual([
    'gateway',
    'grafana',
    'mail',
    'platforms',
    'prometheus',
    'traces',
  ]);
  for (const port of published.flatMap(([, { ports }]) => ports)) expect(port).toMatch(/^127\.0\.0\.1:\d+:\d+$/);
});

test('[S41] every image is pinned by its digest, ours by the version of the release', () => {
  for (const [name, { image, build }] of Object.entries(written)) {
    if (build === undefined)
      expect(image, name).toMatch(/^docker\.io\/[\w./-]+:v?\d+\.\d+(\.\d+)?(-\w+)?@sha256:[\da-f]{64}$/);
    else expect(image, name).toMatch(/^caravan\/[a-z0-9]+:\$\{CARAVAN_VERSION:-local\}$/);
  }
  const froms = ['Dockerfile', 's3.Dockerfile'].flatMap((file) =>
    [...readFileSync(join(root, 'infra/docker', file), 'utf8').matchAll(/^ARG \w+=(docker\.io\S+)$/gm)].map(
      ([, from]) => from,
    ),
  );
  expect(froms.length).toBe(3);
  for (const from of froms) expect(from).toMatch(/:\d+\.\d+\.\d+[\w.-]*@sha256:[\da-f]{64}$/);
});

test('[D22] what stands for the platforms is told the apps that integrations is told, as it reads them', () => {
  const apps = { STRAVA_CLIENT_ID: '4711', STRAVA_CLIENT_SECRET: 's', STRAVA_WEBHOOK_SECRET: 'w' };
  const told = readCompose(text, { ...env, ...apps })['platforms']?.environment['SIMULATORS'] ?? '';
  expect(settingsSchema.parse(JSON.parse(told))).toMatchObject({
    callbackOrigin: env['PUBLIC_URL'],
    strava: { clientId: '4711', clientSecret: 's', subscription: { url: expect.stringMatching(/\/strava\/w$/) } },
  });
});

test('the images run the version of Node that .nvmrc names', () => {
  const version = readFileSync(join(root, '.nvmrc'), 'utf8').trim();
  const dockerfile = readFileSync(join(root, 'infra/docker/Dockerfile'), 'utf8');
  expect(dockerfile).toContain(`ARG NODE=docker.io/library/node:${version}-bookworm-slim`);
});

test('databases, topics and storage are there before what needs them', () => {
  const order = inOrder(services, ['mail']);
  expect(order).not.toContain('grafana');
  const place = (name: string) => order.indexOf(name);
  for (const name of processes)
    for (const before of ['postgres', 'kafka', 'redis', 's3', 'prepare'])
      expect(place(before)).toBeLessThan(place(name));
});

test('a variable of the file is replaced, by its default when it is empty', () => {
  const variables = { A: 'a', B: '' };
  expect(interpolate('${A} ${B:-b} ${C:-} ${A:?why}', variables)).toBe('a b  a');
  expect(() => interpolate('${B:?why}', variables)).toThrow('B is missing: why');
});
