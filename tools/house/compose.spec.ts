import { readFileSync } from 'node:fs';
import { serviceNames } from '@caravan/contracts/topics';
import { expect, test } from 'vitest';

const text = readFileSync(`${import.meta.dirname}/../../infra/docker-compose.yml`, 'utf8');
const [, header = ''] = /^((?:#.*\n)+)/.exec(text) ?? [];
const body = text.slice(header.length);

test('in containers every database role has a password of its own, and so have Redis and the object store', () => {
  const byRole = [...body.matchAll(/postgresql:\/\/(\w+):\$\{(\w+)\}@postgres/g)].map(([, role, name]) => [role, name]);
  expect(byRole).toEqual([
    ['postgres', 'POSTGRES_PASSWORD'],
    ...serviceNames
      .toSorted((a, b) => body.indexOf(`\n  ${a}:\n`) - body.indexOf(`\n  ${b}:\n`))
      .map((service) => [`caravan_${service}_rw`, `POSTGRES_${service.toUpperCase()}_PASSWORD`]),
  ]);
  expect(new Set(byRole.map(([, name]) => name)).size).toBe(byRole.length);
  expect(body).toMatch(/command: redis-server .*--requirepass \$\{REDIS_PASSWORD\}/);
  expect(body).toContain('REDIS_URL: redis://:${REDIS_PASSWORD:?set it in .env}@redis:6379');
});

test('no secret of the containers has a default, and each is named where the file begins', () => {
  const names = [...body.matchAll(/\$\{(\w+)([^}]*)\}/g)].map(([, name = '', rest = '']) => ({ name, rest }));
  const secrets = names.filter(({ name }) => /PASSWORD|KEY|CREDENTIAL/.test(name));
  expect(secrets.length).toBeGreaterThan(9);
  expect(secrets.filter(({ rest }) => rest !== '' && !rest.startsWith(':?'))).toEqual([]);
  for (const { name } of secrets) {
    expect(header).toContain(name);
    expect([name, body.includes(`\${${name}:?`)]).toEqual([name, true]);
  }
});
