import { serviceNames } from '@caravan/contracts/topics';
import { expect, test } from 'vitest';
import { gatewayVariables, serviceVariables } from './variables.ts';
import type { Addresses } from './variables.ts';

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
};
const secrets = {
  postgres: { superuser: 'superuser-secret', owner: 'owner-secret', runtime: 'runtime-secret' },
  redis: 'redis-secret',
  s3: { accessKey: 'a', secretKey: 's' },
  keyEncryptionKey: 'key-secret',
  serviceCredential: 'credential-of-the-instance',
  defaultOrganisationId: '019aa000-0000-7000-8000-000000000000',
};

test('a service is told its own database and no other', () => {
  for (const service of serviceNames) {
    const values = Object.values(serviceVariables(service, addresses, secrets)).join('\n');
    const told = serviceNames.filter((name) => values.includes(`${name}-secret`));
    expect(told).toEqual([service]);
    expect(values).not.toMatch(/superuser-secret|owner-secret|runtime-secret/);
  }
});

test('only identity is told the key that encrypts signing keys', () => {
  const told = serviceNames.filter((name) => 'KEY_ENCRYPTION_KEY' in serviceVariables(name, addresses, secrets));
  expect(told).toEqual(['identity']);
});

test('[S39] every process of the instance is told the credential that they show each other', () => {
  const limits = { perAddress: 10, perAccount: 5 };
  const processes = serviceNames.map((name) => serviceVariables(name, addresses, secrets));
  for (const variables of [...processes, gatewayVariables(addresses, secrets, '/web', limits)])
    expect(variables['SERVICE_CREDENTIAL']).toBe('credential-of-the-instance');
});

test('only identity is told where mail goes, and where it asks for what others hold of a person', () => {
  const told = serviceNames.filter((name) => 'SMTP_URL' in serviceVariables(name, addresses, secrets));
  expect(told).toEqual(['identity']);
  const { activity, scoring, social, integrations } = addresses.services;
  expect(serviceVariables('identity', addresses, secrets)).toMatchObject({
    SMTP_URL: 'smtp://127.0.0.1:6',
    ...{ ACTIVITY_URL: activity, SCORING_URL: scoring, SOCIAL_URL: social, INTEGRATIONS_URL: integrations },
  });
});

test('the gateway is told every service and no secret of a service', () => {
  const variables = gatewayVariables(addresses, secrets, '/web', { perAddress: 10, perAccount: 5 });
  for (const service of serviceNames) {
    expect(variables[`${service.toUpperCase()}_URL`]).toBe(addresses.services[service]);
  }
  expect(Object.values(variables).join('\n')).not.toContain('-secret');
  expect(variables).toMatchObject({
    PORT: '8080',
    LIMIT_PER_ADDRESS_PER_MINUTE: '10',
    LIMIT_PER_ACCOUNT_PER_MINUTE: '5',
  });
});
