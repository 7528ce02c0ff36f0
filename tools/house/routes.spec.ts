import { globSync, readFileSync } from 'node:fs';
import { operations } from '@caravan/contracts/http/operations';
import type { Operation } from '@caravan/contracts/http/operations/operation';
import { myDataPath } from '@caravan/contracts/http/my-data';
import { serviceNames } from '@caravan/contracts/events/topics';
import { expect, test } from 'vitest';

// What a service answers to beside its operations: its peers, never the gateway's callers.
const betweenServices = [
  'GET /.well-known/jwks.json',
  'GET /internal/sessions/{sid}',
  `GET ${myDataPath}`,
  'POST /internal/movements',
  'POST /internal/recaps/{week}',
];

const root = `${import.meta.dirname}/../..`;

type Route = { readonly name: string; readonly access: string; readonly storesSomething: boolean };

const decoratorPattern = (indent: string) => `((?:^${indent}@\\w+\\([^\\n]*\\)\\n)+)`;
const accessMarks: Readonly<Record<string, string>> = {
  Public: 'public',
  OpenToGuests: 'guest',
  OpenToErrands: 'errand',
  AdminOnly: 'admin',
};

function accessIn(decorators: string): string | undefined {
  const [, mark = ''] = /@(Public|OpenToGuests|OpenToErrands|AdminOnly)\(\)/.exec(decorators) ?? [];
  return accessMarks[mark];
}

/** Method and path of every route in the controllers of a service, as the operations write them, and whom it lets in. */
function routesOf(service: string): Route[] {
  const files = globSync(`${root}/services/${service}/src/**/*.controller.ts`);
  return files.flatMap((file) => {
    const text = readFileSync(file, 'utf8');
    const classes = [...text.matchAll(new RegExp(`${decoratorPattern('')}export class`, 'gm'))];
    return classes.flatMap(({ 1: ofClass = '', index }, nth) => {
      const [, argument = ''] = /@Controller\((.*?)\)/.exec(ofClass) ?? [];
      const prefix = argument === 'myDataPath' ? myDataPath : argument.replaceAll("'", '');
      const body = text.slice(index + ofClass.length, classes[nth + 1]?.index);
      const blocks = [...body.matchAll(new RegExp(decoratorPattern(' {2}'), 'gm'))];
      const routes = blocks.flatMap(({ 0: block, index: at }, position) => {
        const [, method, path = ''] = /@(Get|Post|Put|Patch|Delete)\((?:'([^']*)')?\)/.exec(block) ?? [];
        const handler = body.slice(at, blocks[position + 1]?.index);
        const storesSomething = method === 'Get' && handler.includes('allowWrites(');
        return method === undefined ? [] : [{ method, path, storesSomething, access: accessIn(block) }];
      });
      expect([file, routes.length]).not.toEqual([file, 0]);
      return routes.map(({ method, path, storesSomething, access = accessIn(ofClass) ?? 'member' }) => {
        const whole = [prefix, path].flatMap((part) => part.split('/')).filter((part) => part !== '');
        return {
          name: `${method.toUpperCase()} /${whole.join('/').replaceAll(/:(\w+)/g, '{$1}')}`,
          access,
          storesSomething,
        };
      });
    });
  });
}

test.each(serviceNames)('[S40] %s has a route for each of its operations and no other', (service) => {
  const described = Object.values(operations)
    .filter((operation) => operation.service === service)
    .map(({ method, path }) => `${method.toUpperCase()} ${path}`);
  expect(described.length).toBeGreaterThan(0);
  const names = routesOf(service).map(({ name }) => name);
  const routes = names.filter((name) => !betweenServices.includes(name));
  expect(routes.toSorted()).toEqual(described.toSorted());
});

test('[S25] the contract names every GET whose handler stores something, so that it has a write limit', () => {
  const described = Object.values<Operation>(operations)
    .filter(({ storesSomething }) => storesSomething)
    .map(({ method, path }) => `${method.toUpperCase()} ${path}`);
  const routes = serviceNames.flatMap((service) => routesOf(service)).filter(({ storesSomething }) => storesSomething);
  expect(described.toSorted()).toEqual(routes.map(({ name }) => name).toSorted());
});

test.each(serviceNames)('[S01 S21 D54] the routes of %s let in whom the contract says', (service) => {
  const said = Object.values<Operation>(operations)
    .filter((operation) => operation.service === service)
    .map(({ method, path, access }) => {
      // The refresh cookie is looked at by the route itself.
      return { name: `${method.toUpperCase()} ${path}`, access: access === 'cookie' ? 'public' : access };
    });
  const surprises = routesOf(service).filter(
    ({ name, access }) =>
      !betweenServices.includes(name) && !said.some((one) => one.name === name && one.access === access),
  );
  expect(surprises).toEqual([]);
});

test('[S38] identity’s audit log listens to every service that has routes for admins', () => {
  const consumer = readFileSync(`${root}/services/identity/src/audit/store-audit-log.consumer.ts`, 'utf8');
  const heard = [...consumer.matchAll(/from: '(\w+)'/g)].map(([, service]) => service);
  const withAdmins = Object.values<Operation>(operations).flatMap(({ access, service }) =>
    access === 'admin' && service !== 'identity' ? [service] : [],
  );
  expect(withAdmins).toContain('scoring');
  expect([...new Set(withAdmins)].filter((service) => !heard.includes(service))).toEqual([]);
});
