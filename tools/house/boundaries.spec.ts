import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { ICruiseResult } from 'dependency-cruiser';
import { cruise } from 'dependency-cruiser';
import extractConfiguration from 'dependency-cruiser/config-utl/extract-depcruise-config';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { boundariesOf, folderBoundariesOf, libraryOrderOf } from './rooms.ts';

const root = join(import.meta.dirname, '../..');
const configuration = await extractConfiguration(join(root, '.dependency-cruiser.cjs'));
// The rules inside services are proven on one that nobody has, whoever moves.
const inServices = boundariesOf({ example: ['lower', 'middle', 'upper'] });
const inFolders = folderBoundariesOf({ 'libs/example': ['lower', 'upper'] });
const ofLibraries = libraryOrderOf(['first', 'second']);
const forbidden = [...(configuration.forbidden ?? []), ...inServices, ...inFolders, ...ofLibraries];

/** Breaks one rule per line: rule, the file that breaks it, what it imports. */
const offences = `
services-are-islands                services/scoring/src/ledger/a.ts            services/activity/src/logging/miles.ts
services-are-islands                services/scoring/src/app.module.ts          gateway/src/routing/routes.ts
gateway-is-an-island                gateway/src/routing/proxy.ts                        services/activity/src/logging/miles.ts
rooms-meet-through-their-faces      services/example/src/upper/b.query.ts       services/example/src/lower/rows.ts
rooms-meet-through-their-faces      services/example/src/upper/index.ts         services/example/src/lower/face.service.ts
rooms-stand-in-their-order          services/example/src/lower/c.query.ts       services/example/src/upper/index.ts
rooms-stand-in-their-order          services/example/src/middle/d.service.ts    services/example/src/upper/index.ts
ports-know-no-room                  services/example/src/ports.ts               services/example/src/lower/index.ts
queries-call-no-writer              services/example/src/lower/e.query.ts       services/example/src/lower/f.store.ts
libraries-stand-in-their-order      libs/first/a.ts                             libs/second/b.ts
folders-stand-in-their-order        libs/example/lower/a.ts                     libs/example/upper/b.ts
folders-know-nothing-above          libs/example/upper/b.ts                     libs/example/start.ts
features-are-islands-in-the-web-app web/src/features/feed/card.tsx              web/src/features/timer/clock.ts
ui-and-lib-know-no-feature          web/src/ui/button.tsx                       web/src/features/timer/clock.ts
ui-and-lib-know-no-feature          web/src/lib/session.ts                      web/src/routes/home.tsx
features-know-no-route              web/src/features/timer/ring.tsx             web/src/routes/home.tsx
web-shares-only-contracts           web/src/lib/store.ts                        libs/event-store/core/decider.ts
libraries-know-no-product           libs/auth/guard.ts                          services/activity/src/logging/miles.ts
contracts-stand-alone               libs/contracts/events/a.events.ts           libs/event-store/core/decider.ts
plain-contracts-carry-no-schemas    libs/contracts/domain/choices.ts                   zod
plain-contracts-carry-no-schemas    libs/contracts/domain/badge-words.ts        libs/contracts/http/badges.ts
applications-are-started-not-imported tools/seed/people.ts                      services/activity/src/logging/miles.ts
applications-are-started-not-imported tools/caravan/commands/up.ts                       gateway/src/routing/routes.ts
applications-are-started-not-imported bench/floors/other.ts                     services/activity/src/logging/miles.ts
projects-meet-by-name               services/activity/src/logging/k.ts          libs/contracts/events/topics.ts
one-port-for-kafka                  libs/messaging/relay/relay.ts                     kafkajs
one-port-for-kafka                  services/social/src/feed/f.consumer.ts      kafkajs
one-port-for-postgres               services/social/src/feed/f.query.ts         pg
one-port-for-postgres               libs/messaging/freshness/positions.ts                 pg
one-port-for-redis                  gateway/src/limits.ts                       ioredis
one-port-for-jobs                   services/social/src/feed/f.job.ts           bullmq
one-port-for-objects                services/activity/src/photos/p.client.ts    minio
one-port-for-images                 services/identity/src/organisations/l.client.ts sharp
one-port-for-companion              services/activity/src/companion/c.client.ts     @uppy/companion
one-port-for-mail                   services/identity/src/accounts/m.client.ts  nodemailer
one-port-for-prisma                 services/identity/src/accounts/q.query.ts   @prisma/client
one-port-for-prisma                 services/example/src/lower/prisma.client.ts @prisma/adapter-pg
what-is-told-stays-on-pg            services/example/src/upper/t.consumer.ts        services/example/src/rows/index.ts
what-is-told-stays-on-pg            services/example/src/upper/t.projection.ts      services/example/src/rows/index.ts
one-port-for-rows                   services/example/src/lower/r.store.ts       services/example/src/generated/prisma/client.ts
pure-files-do-no-io                 services/activity/src/logging/c.ts          pg
pure-files-do-no-io                 web/src/features/timer/d.ts                 idb
pure-files-do-no-io                 services/activity/src/logging/e.ts          libs/service-kit/storage/redis.ts
pure-files-use-no-node-module       services/activity/src/logging/g.ts          node:fs
pure-files-lean-on-pure-files       services/activity/src/logging/h.ts          services/activity/src/logging/log.query.ts
pure-files-lean-on-pure-files       services/example/src/upper/g.ts             services/example/src/lower/index.ts
browsers-have-no-node               web/src/lib/files.ts                        node:fs
no-cycles                           libs/auth/one.ts                            libs/auth/two.ts
images-carry-no-development-package services/activity/src/logging/x.client.ts   vitest
specs-are-imported-by-nobody        libs/auth/three.ts                          libs/auth/claims.spec.ts
doubles-stay-in-tests               libs/auth/four.ts                           libs/service-kit/testing/servers.ts
doubles-stay-in-tests               services/social/src/feed/s.client.ts        libs/simulators/strava/strava.ts
`;

/** Breaks nothing, although each line comes close. */
const goodManners = `
services/activity/src/logging/movement-stream.ts   services/activity/src/logging/log.projection.ts
services/activity/src/logging/miles.ts             libs/contracts/events/topics.ts
services/activity/src/logging/log.query.ts         services/activity/src/logging/miles.ts
services/example/src/upper/h.query.ts              services/example/src/lower/index.ts
services/example/src/upper/h.int.spec.ts           services/example/src/lower/rows.ts
services/example/src/lower/h.int.spec.ts           services/example/src/upper/index.ts
services/example/src/lower/index.ts                services/example/src/lower/face.service.ts
services/example/src/lower/i.service.ts            services/example/src/lower/f.store.ts
services/example/src/upper/i.service.ts            services/example/src/ports.ts
services/example/src/app.module.ts                 services/example/src/upper/i.service.ts
services/example/src/rows/prisma.client.ts         @prisma/client
services/example/src/rows/prisma.client.ts         services/example/src/generated/prisma/client.ts
libs/messaging/kafka/kafka.ts                            kafkajs
libs/event-store/postgres/postgres-event-store.ts           pg
libs/service-kit/storage/redis.ts                  ioredis
libs/service-kit/jobs/jobs.ts                      bullmq
libs/contracts/events/fields.ts                           zod
libs/contracts/http/scores.ts                      zod
libs/service-kit/storage/objects.ts                minio
services/identity/src/mail/smtp.client.ts          nodemailer
libs/service-kit/testing/servers.ts                pg
libs/auth/claims.spec.ts                           libs/service-kit/testing/servers.ts
libs/auth/two.ts                                   libs/auth/one.ts
libs/example/upper/c.ts                            libs/example/lower/d.ts
libs/second/c.ts                                   libs/first/a.ts
libs/first/d.int.spec.ts                           libs/second/c.ts
libs/example/lower/d.int.spec.ts                   libs/example/upper/c.ts
tools/chaos/audit.ts                               pg
tools/caravan/operate/configuration.ts                     gateway/src/env.ts
bench/floors/gateway.ts                            gateway/src/start.ts
services/social/src/feed/s.int.spec.ts             libs/simulators/strava/strava.ts
gateway/src/routing/routes.ts                              libs/auth/two.ts
web/src/routes/home.tsx                            web/src/features/timer/ring.tsx
web/src/features/timer/clock.ts                    libs/contracts/events/topics.ts
web/src/features/timer/api.ts                      web/src/lib/session.ts
`;

const table = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/) as [string, string, string]);

const house = mkdtempSync(join(tmpdir(), 'house-'));
let broken: string[] = [];

const put = (file: string, text: string) => {
  mkdirSync(dirname(join(house, file)), { recursive: true });
  writeFileSync(join(house, file), text);
};

const importOf = (from: string, to: string) => {
  const up = '../'.repeat(from.split('/').length - 1);
  return `import * as other from '${/^(libs|services|gateway|web|tools|bench)\//.test(to) ? up + to : to}';\nexport const it = other;\n`;
};

beforeAll(async () => {
  const imports = [...table(offences).map(([, from, to]) => [from, to] as const), ...table(goodManners)];
  const packages = [
    'pg',
    'kafkajs',
    'ioredis',
    'bullmq',
    'minio',
    'nodemailer',
    'sharp',
    '@uppy/companion',
    'idb',
    'vitest',
    'zod',
    '@prisma/client',
    '@prisma/adapter-pg',
  ];
  for (const name of packages) {
    put(`node_modules/${name}/package.json`, JSON.stringify({ name, version: '1.0.0', main: 'dist/index.js' }));
    put(`node_modules/${name}/dist/index.js`, 'module.exports = {};');
  }
  const dependencies = Object.fromEntries(packages.filter((name) => name !== 'vitest').map((name) => [name, '1.0.0']));
  put('package.json', JSON.stringify({ name: 'house', dependencies, devDependencies: { vitest: '1.0.0' } }));
  for (const [, to] of imports) if (to.includes('.ts')) put(to, 'export const leaf = 1;\n');
  for (const [from, to] of imports) put(from, importOf(from, to));

  const { tsConfig: _, ...options } = configuration.options ?? {};
  const { output } = await cruise(
    ['libs', 'services', 'gateway', 'web', 'tools', 'bench'],
    { ...options, baseDir: house, validate: true, ruleSet: { forbidden } },
    configuration.options?.enhancedResolveOptions,
  );
  broken = (output as ICruiseResult).summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`);
});

afterAll(() => {
  rmSync(house, { recursive: true });
});

/** The examples import each other by paths, in circles. */
const byTheirPaths = /^(no-cycles|projects-meet-by-name): /;

/** What the rule says of that import. */
const complaints = ([rule, from, to]: readonly [string, string, string]) =>
  broken.filter((line) => line.startsWith(`${rule}: ${from} → `) && line.includes(to.replace('node:', '')));

test.each(table(offences))('the rule %s catches %s importing %s', (...offence) => {
  expect(complaints(offence)).not.toEqual([]);
});

test('[D48] Prisma is reached by one port, and what is told or heard never goes through it', () => {
  const rules = ['one-port-for-prisma', 'one-port-for-rows', 'what-is-told-stays-on-pg'];
  const offending = table(offences).filter(([rule]) => rules.includes(rule));
  expect(offending.map((offence) => complaints(offence).length > 0)).toEqual([true, true, true, true, true]);
});

test.each(table(goodManners))('%s may import %s', (from, to) => {
  const ofThisImport = broken.filter((line) => line.includes(`: ${from} → `) && line.includes(to));
  expect(ofThisImport.filter((line) => !byTheirPaths.test(line))).toEqual([]);
});

test('every rule of the configuration is proven here', () => {
  const proven = new Set(table(offences).map(([rule]) => rule));
  expect(forbidden.map((rule) => rule.name).filter((name) => !proven.has(name ?? ''))).toEqual([]);
});

test('every rule of the configuration says why it is there', () => {
  expect(forbidden.filter((rule) => (rule.comment ?? '').length < 30)).toEqual([]);
});
