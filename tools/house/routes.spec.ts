import { globSync, readFileSync } from 'node:fs';
import { operations } from '@caravan/contracts/http/operations';
import type { Operation } from '@caravan/contracts/http/operations/operation';
import { myDataPath } from '@caravan/contracts/http/my-data';
import { serviceNames } from '@caravan/contracts/topics';
import { expect, test } from 'vitest';

// What a service answers to beside its operations: its peers, never the gateway's callers.
const betweenServices = [
  ...['GET /.well-known/jwks.json', 'GET /internal/sessions/{sid}', `GET ${myDataPath}`],
  'POST /internal/movements',
  'POST /internal/recaps/{week}',
];

const root = `${import.meta.dirname}/../..`;

/** Method and path of every route in the controllers of a service, as the operations write them. */
function routesOf(service: string): string[] {
  const files = globSync(`${root}/services/${service}/src/**/*.controller.ts`);
  return files.flatMap((file) => {
    const [, ...controllers] = readFileSync(file, 'utf8').split('@Controller(');
    return controllers.flatMap((text) => {
      const [argument = ''] = text.split(')', 1);
      const prefix = argument === 'myDataPath' ? myDataPath : argument.replaceAll("'", '');
      const routes = [...text.matchAll(/^ {2}@(Get|Post|Put|Patch|Delete)\((?:'([^']*)')?\)/gm)];
      expect([file, routes.length]).not.toEqual([file, 0]);
      return routes.map(([, method = '', path = '']) => {
        const whole = [prefix, path].flatMap((part) => part.split('/')).filter((part) => part !== '');
        return `${method.toUpperCase()} /${whole.join('/').replaceAll(/:(\w+)/g, '{$1}')}`;
      });
    });
  });
}

test.each(serviceNames)('[S40] %s has a route for each of its operations and no other', (service) => {
  const described = Object.values(operations)
    .filter((operation) => operation.service === service)
    .map(({ method, path }) => `${method.toUpperCase()} ${path}`);
  expect(described.length).toBeGreaterThan(0);
  const routes = routesOf(service).filter((route) => !betweenServices.includes(route));
  expect(routes.toSorted()).toEqual(described.toSorted());
});

test('[S38] identity’s audit log listens to every service that has routes for admins', () => {
  const consumer = readFileSync(`${root}/services/identity/src/audit/keep-audit-log.consumer.ts`, 'utf8');
  const heard = [...consumer.matchAll(/from: '(\w+)'/g)].map(([, service]) => service);
  const withAdmins = Object.values<Operation>(operations).flatMap(({ access, service }) =>
    access === 'admin' && service !== 'identity' ? [service] : [],
  );
  expect(withAdmins).toContain('scoring');
  expect([...new Set(withAdmins)].filter((service) => !heard.includes(service))).toEqual([]);
});
