import { isDeepStrictEqual } from 'node:util';
import { activityEnvSchema } from '@caravan/activity/env';
import { type ServiceName, serviceNames } from '@caravan/contracts/events/topics';
import { gatewayEnvSchema } from '@caravan/gateway/env';
import { identityEnvSchema } from '@caravan/identity/env';
import { integrationsEnvSchema } from '@caravan/integrations/env';
import { serviceEnvSchema } from '@caravan/service-kit/process/env';
import { expect, test } from 'vitest';
import type { z } from 'zod';
import { type Addresses, differences, gatewayVariables, type Run, serviceVariables } from './variables.ts';

const perService = (value: (name: string) => string) =>
  Object.fromEntries(serviceNames.map((name) => [name, value(name)])) as Addresses['services'];

const addresses: Addresses = {
  url: 'http://127.0.0.1:8080',
  postgres: perService((name) => `postgresql://${name}-secret`),
  kafka: ['127.0.0.1:1', '127.0.0.1:2'],
  redis: 'redis://127.0.0.1:3',
  s3: { endpoint: 'http://127.0.0.1:4', bucket: 'b', region: 'r', accessKey: 'a', secretKey: 's' },
  services: perService((name) => `http://127.0.0.1:5${serviceNames.findIndex((each) => each === name)}`),
  mail: { smtp: 'smtp://127.0.0.1:6', http: 'http://127.0.0.1:7' },
  platforms: { strava: 'http://127.0.0.1:8', googleHealth: 'http://127.0.0.1:9' },
};
const secrets = {
  postgres: { superuser: 'superuser-secret', owner: 'owner-secret', runtime: 'runtime-secret' },
  redis: 'redis-secret',
  s3: { accessKey: 'a', secretKey: 's' },
  keyEncryptionKey: 'key-secret',
  providerTokenKey: 'seal-of-tokens',
  serviceCredential: 'credential-of-the-instance',
  photoAddressKey: 'key-of-the-photos-of-the-instance',
  cursorKey: 'key-of-the-cursors-of-the-instance',
  simulatedApps: 'of-apps-at-simulated-platforms-32',
  defaultOrganisationId: '019aa000-0000-7000-8000-000000000000',
};

test('a service is told its own database and no other', () => {
  for (const service of serviceNames) {
    const values = Object.values(serviceVariables(service, addresses, secrets, 'up')).join('\n');
    const told = serviceNames.filter((name) => values.includes(`${name}-secret`));
    expect(told).toEqual([service]);
    expect(values).not.toMatch(/superuser-secret|owner-secret|runtime-secret/);
  }
});

test('only identity is told the key that encrypts signing keys', () => {
  const told = serviceNames.filter((name) => 'KEY_ENCRYPTION_KEY' in serviceVariables(name, addresses, secrets, 'up'));
  expect(told).toEqual(['identity']);
});

test('[S32] only integrations is told the key that seals tokens of platforms, in every run', () => {
  for (const run of ['up', 'journeys', 'chaos', 'bench'] as const) {
    const keys = serviceNames.map((name) => serviceVariables(name, addresses, secrets, run)['PROVIDER_TOKEN_KEY']);
    expect(keys).toEqual(serviceNames.map((name) => (name === 'integrations' ? 'seal-of-tokens' : undefined)));
  }
});

test('[S39] every process of the instance is told the credential that they show each other', () => {
  const processes = serviceNames.map((name) => serviceVariables(name, addresses, secrets, 'up'));
  for (const variables of [...processes, gatewayVariables(addresses, secrets, '/web', 'up')])
    expect(variables['SERVICE_CREDENTIAL']).toBe('credential-of-the-instance');
});

test('[S29] every service signs photos by the same key, and the gateway is not told it', () => {
  const keys = serviceNames.map((name) => serviceVariables(name, addresses, secrets, 'up')['PHOTO_ADDRESS_KEY']);
  expect(new Set(keys)).toEqual(new Set([secrets.photoAddressKey]));
  expect(gatewayVariables(addresses, secrets, '/web', 'up')).not.toHaveProperty('PHOTO_ADDRESS_KEY');
});

test('[D18] every service seals cursors by the same key, and the gateway is not told it', () => {
  const keys = serviceNames.map((name) => serviceVariables(name, addresses, secrets, 'up')['CURSOR_KEY']);
  expect(new Set(keys)).toEqual(new Set([secrets.cursorKey]));
  expect(gatewayVariables(addresses, secrets, '/web', 'up')).not.toHaveProperty('CURSOR_KEY');
});

test('only identity is told where mail goes, and where it asks for what others hold of a person', () => {
  const told = serviceNames.filter((name) => 'SMTP_URL' in serviceVariables(name, addresses, secrets, 'up'));
  expect(told).toEqual(['identity']);
  const { activity, scoring, social, integrations } = addresses.services;
  expect(serviceVariables('identity', addresses, secrets, 'up')).toMatchObject({
    SMTP_URL: 'smtp://127.0.0.1:6',
    ACTIVITY_URL: activity,
    SCORING_URL: scoring,
    SOCIAL_URL: social,
    INTEGRATIONS_URL: integrations,
  });
});

test('[D22] only integrations is told the apps at the simulated platforms, and none of one that is asked for real', () => {
  const told = serviceNames.filter((name) => 'STRAVA_CLIENT_ID' in serviceVariables(name, addresses, secrets, 'up'));
  expect(told).toEqual(['integrations']);
  const real = { ...addresses, platforms: { googleHealth: 'http://127.0.0.1:9' } };
  const names = Object.keys(serviceVariables('integrations', real, secrets, 'up'));
  expect(names.filter((name) => name.startsWith('STRAVA_'))).toEqual([]);
  expect(names).toContain('GOOGLE_HEALTH_CLIENT_ID');
});

test('the gateway is told every service and no secret of a service', () => {
  const variables = gatewayVariables(addresses, secrets, '/web', 'up');
  for (const service of serviceNames) {
    expect(variables[`${service.toUpperCase()}_URL`]).toBe(addresses.services[service]);
  }
  expect(Object.values(variables).join('\n')).not.toContain('-secret');
  expect(variables).toMatchObject({ PORT: '8080' });
});

const schemaOf = (process: ServiceName | 'gateway') => {
  if (process === 'gateway') return gatewayEnvSchema;
  const own = { identity: identityEnvSchema, activity: activityEnvSchema, integrations: integrationsEnvSchema };
  return process in own ? own[process as keyof typeof own] : serviceEnvSchema;
};

/** Settings that an operator may leave out and that a run here sets to something else. */
function differing(process: ServiceName | 'gateway', run: Run): string[] {
  const variables =
    process === 'gateway'
      ? gatewayVariables(addresses, secrets, '/web', run)
      : serviceVariables(process, addresses, secrets, run);
  return Object.entries<z.ZodType>(schemaOf(process).shape).flatMap(([name, field]) => {
    const byDefault = field.safeParse(undefined);
    const here = variables[name] === undefined ? byDefault : field.safeParse(variables[name]);
    return byDefault.success && !isDeepStrictEqual(here.data, byDefault.data) ? [name] : [];
  });
}

test.each(['up', 'journeys', 'chaos', 'bench'] as const)(
  '[D38] %s differs from what an operator gets in nothing but what is listed with its reason',
  (run) => {
    for (const process of ['gateway', ...serviceNames] as const) {
      const listed = differences.filter((each) => each.of === process && each.runs.includes(run));
      expect(differing(process, run).toSorted(), process).toEqual(listed.map(({ setting }) => setting).toSorted());
      for (const { reason } of listed) expect(reason.length).toBeGreaterThan(40);
    }
  },
);

test('[D38 S25] what one account may ask is here what it may ask anywhere, but in the bench', () => {
  const runs = differences.filter(({ setting }) => setting.includes('PER_ACCOUNT')).flatMap((each) => each.runs);
  expect(runs).toEqual(['bench']);
});
