/** Which file may import which. Every rule says why; tools/house/boundaries.spec.ts proves that each one bites. */

const { boundariesOf, folderBoundariesOf, libraryOrderOf } = require('./tools/house/rooms.ts');

const specs = '[.](int[.]|e2e[.])?spec[.]tsx?$';
const proofs = `(${specs}|/testing/|[.]contract[.]ts$)`;
const suffixes =
  '[.](controller|query|store|service|projection|consumer|job|queue|client|guard|filter|decorator|module|spec)[.]ts$';
const packages = (...names) => `(^|/)node_modules/(@types/)?(${names.join('|')})/`;

/** @type {(name: string, only: string[], what: string[], comment: string) => import('dependency-cruiser').IForbiddenRuleType} */
const onePort = (name, only, what, comment) => ({
  name,
  severity: 'error',
  comment,
  from: { pathNot: only },
  to: { path: packages(...what) },
});

/** @type {import('dependency-cruiser').IForbiddenRuleType[]} */
const islands = [
  {
    name: 'services-are-islands',
    comment:
      'A service knows another only by its events and its HTTP contract, so each can be deployed, moved or rewritten alone.',
    severity: 'error',
    from: { path: '^services/([^/]+)/' },
    to: { path: '^(services|gateway|web|tools|bench|e2e)/', pathNot: '^services/$1/' },
  },
  {
    name: 'gateway-is-an-island',
    comment: 'The gateway routes by a table; code of a service in it would be a second place for that service’s rules.',
    severity: 'error',
    from: { path: '^gateway/' },
    to: { path: '^(services|web|tools|bench|e2e)/' },
  },
  ...boundariesOf(),
  ...libraryOrderOf(),
  ...folderBoundariesOf(),
  {
    name: 'features-are-islands-in-the-web-app',
    comment: 'A route composes features; a feature that reaches into another cannot be changed alone.',
    severity: 'error',
    from: { path: '^web/src/features/([^/]+)/' },
    to: { path: '^web/src/features/', pathNot: '^web/src/features/$1/' },
  },
  {
    name: 'ui-and-lib-know-no-feature',
    comment: 'One direction: ui and lib → features → routes. The kit stays usable by every feature.',
    severity: 'error',
    from: { path: '^web/src/(ui|lib)/' },
    to: { path: '^web/src/(features|routes)/' },
  },
  {
    name: 'features-know-no-route',
    comment: 'One direction: a feature is placed by routes, it does not know where.',
    severity: 'error',
    from: { path: '^web/src/features/' },
    to: { path: '^web/src/routes/' },
  },
  {
    name: 'web-shares-only-contracts',
    comment: 'What runs in a browser may share the contracts with the services and nothing that needs a server.',
    severity: 'error',
    from: { path: '^web/' },
    to: { path: '^(libs/(?!contracts/)|services/|gateway/|tools/|bench/|e2e/)' },
  },
  {
    name: 'libraries-know-no-product',
    comment: 'A library serves every service alike; knowing one would tie them all to it.',
    severity: 'error',
    from: { path: '^libs/' },
    to: { path: '^(services|gateway|web|tools|bench|e2e)/' },
  },
  {
    name: 'contracts-stand-alone',
    comment: 'Contracts are read by services and browser alike, so they need nothing but zod.',
    severity: 'error',
    from: { path: '^libs/contracts/', pathNot: specs },
    to: { path: '^libs/', pathNot: '^libs/contracts/' },
  },
  {
    name: 'plain-contracts-carry-no-schemas',
    comment: 'Constants and formulas of the contracts run in pages; a schema among them would bring zod along.',
    severity: 'error',
    from: { path: '^libs/contracts/domain/', pathNot: [specs] },
    to: {
      path: [packages('zod'), '^libs/contracts/(http|events)/'],
      dependencyTypesNot: ['type-only'],
    },
  },
];

const ownWorkshops = ['^tools/', '^bench/', '^e2e/'];

/** Files of the workshops that import an application, and which part of one. */
const importers = [
  // The settings of a run here are compared with the schemas that check an operator's.
  ['^tools/(caravan|house)/', '^(services/[^/]+|gateway)/src/env[.]ts$'],
  // Rows of one service are made of the facts that another publishes again, and an act costs all services.
  ['^tools/check-invariants/(rebuilt-read-models[.]int[.]spec|services|all-services)[.]ts$', '^services/'],
  ['^bench/(budgets|plans)/', '^services/'],
  ['^bench/seeding/', '^services/(activity|identity|scoring)/'],
  ['^bench/floors/', '^gateway/'],
  // Pages of the herd do what the web app does.
  ['^bench/herd/', '^web/src/lib/'],
];

/** @type {(from: object, pathNot?: string) => import('dependency-cruiser').IForbiddenRuleType} */
const noApplication = (from, pathNot) => ({
  name: 'applications-are-started-not-imported',
  severity: 'error',
  comment: 'A tool that imports an application is tied to its inside; it is started, and asked by HTTP.',
  from,
  to: { path: '^(services|gateway|web)/', ...(pathNot && { pathNot }) },
});

/** @type {import('dependency-cruiser').IForbiddenRuleType[]} */
const projects = [
  noApplication({ path: ownWorkshops, pathNot: importers.map(([from]) => from) }),
  ...importers.map(([from, allowed]) => noApplication({ path: from }, allowed)),
  {
    name: 'projects-meet-by-name',
    comment: 'Another project is imported by its package’s name: what it offers stands in its package.json.',
    severity: 'error',
    from: { path: '^((?:libs|services|tools)/[^/]+|gateway|web|bench|e2e)/', pathNot: '^tools/house/' },
    to: {
      path: '^(libs|services|tools|gateway|web|bench|e2e)/',
      pathNot: '^$1/',
      dependencyTypesNot: ['aliased-workspace'],
    },
  },
];

/** @type {import('dependency-cruiser').IForbiddenRuleType[]} */
const ports = [
  onePort(
    'one-port-for-kafka',
    ['^libs/messaging/(kafka/(kafka|kafkajs-corrections)|testing/(late-facts|failing-requests))[.]ts$'],
    ['kafkajs'],
    'kafkajs is no longer developed; behind one file it can be replaced in a day.',
  ),
  onePort(
    'one-port-for-postgres',
    ['^libs/event-store/', '^libs/service-kit/testing/', ...ownWorkshops],
    ['pg', 'pg-pool', 'pg-cursor'],
    'Transactions, tenant settings and locks are right in one place: the event store hands out what others may run.',
  ),
  onePort(
    'one-port-for-redis',
    ['^libs/service-kit/storage/redis[.]ts$'],
    ['ioredis'],
    'Redis holds only what can be rebuilt; time-outs, prefixes and the fallback are decided once.',
  ),
  onePort(
    'one-port-for-jobs',
    ['^libs/service-kit/jobs/(jobs|job-queues)[.]ts$'],
    ['bullmq'],
    'Every job retries, traces and ends in a command in the same way.',
  ),
  onePort(
    'one-port-for-objects',
    ['^libs/service-kit/storage/objects[.]ts$', '^libs/service-kit/testing/'],
    ['minio'],
    'Any S3 must serve; what is asked of it stands in one file.',
  ),
  onePort(
    'one-port-for-images',
    // The demo draws its own pictures, a bench makes the files that it sends.
    ['^libs/service-kit/media/image-process[.]ts$', '^tools/seed/photos[.]ts$', '^bench/goals/photos[.]ts$', proofs],
    ['sharp'],
    'A picture can take all memory and time that its decoder gets: it gets a process of its own, which is killed.',
  ),
  onePort(
    'one-port-for-companion',
    ['^services/activity/src/companion/companion-process[.]client[.]ts$'],
    ['@uppy/companion'],
    'It brings a server and the AWS SDK along: 130 MB that stay in a process of their own.',
  ),
  onePort(
    'one-port-for-mail',
    ['^services/identity/src/mail/smtp[.]client[.]ts$', ...ownWorkshops],
    ['nodemailer'],
    'What may stand in a header, how long a mail server is waited for and what a log may say of it is decided once.',
  ),
  onePort(
    'one-port-for-prisma',
    ['^services/[^/]+/src/rows/prisma[.]client[.]ts$', '(^|/)generated/'],
    ['@prisma/.+'],
    'Prisma reads and writes rows, never in the use case of the event store (ADR 0003): one client file per service.',
  ),
  {
    name: 'one-port-for-rows',
    comment:
      'A client of Prisma that names no organisation would see nothing, or everything: the port does (ADR 0003).',
    severity: 'error',
    from: { pathNot: ['^services/[^/]+/src/rows/prisma[.]client[.]ts$', '(^|/)generated/'] },
    to: { path: '^services/[^/]+/src/generated/' },
  },
  {
    name: 'what-is-told-stays-on-pg',
    comment:
      'A batch of messages is one transaction, which Prisma cannot join: what is heard or folded is on pg (D48).',
    severity: 'error',
    from: { path: '^services/.+[.](consumer|projection)[.]ts$' },
    to: { path: '^services/[^/]+/src/(rows|generated)/' },
  },
];

/** @type {import('dependency-cruiser').IForbiddenRuleType[]} */
const purity = [
  {
    name: 'pure-files-do-no-io',
    comment: 'No suffix, no I/O: the rules of a feature run in a test without anything but Node.',
    severity: 'error',
    from: {
      path: ['^services/[^/]+/src/[^/]+/.+[.]ts$', '^web/src/features/.+[.]ts$'],
      pathNot: [suffixes, '/(api|use-[^/]+)[.]ts$', '/testing/', '/generated/'],
    },
    to: {
      path: [
        packages('pg', 'kafkajs', 'ioredis', 'bullmq', 'minio', 'undici', 'fastify', 'idb', '@prisma/.+', '@nestjs/.+'),
        '^libs/event-store/postgres/postgres-event-store[.]ts$',
        '^libs/messaging/(kafka/(kafka|kafkajs-corrections)|consumer/(kafka-batch-server|group-consumer)|relay/relay)[.]ts$',
        '^libs/service-kit/(storage/redis|jobs/jobs|storage/objects|http/start|process/env|telemetry/log)[.]ts$',
      ],
      dependencyTypesNot: ['type-only'],
    },
  },
  {
    name: 'pure-files-use-no-node-module',
    comment: 'No suffix, no I/O: files, sockets, clocks and chance come in as arguments.',
    severity: 'error',
    from: {
      path: ['^services/[^/]+/src/[^/]+/.+[.]ts$', '^web/src/features/.+[.]ts$'],
      pathNot: [suffixes, '/testing/', '/generated/'],
    },
    to: { dependencyTypes: ['core'] },
  },
  {
    name: 'pure-files-lean-on-pure-files',
    comment:
      'A rule that calls a controller, a query or a client is no longer a rule but a procedure, and through a face it could. (A projection is a pure map.)',
    severity: 'error',
    from: {
      path: '^services/[^/]+/src/[^/]+/.+[.]ts$',
      pathNot: [suffixes, '/index[.]ts$', '/testing/', '/generated/'],
    },
    to: {
      path: `^services/.+(${suffixes}|/index[.]ts$)`,
      pathNot: '[.]projection[.]ts$',
      dependencyTypesNot: ['type-only'],
    },
  },
  {
    name: 'browsers-have-no-node',
    comment: 'Node’s modules do not exist in a browser.',
    severity: 'error',
    from: { path: '^web/src/', pathNot: specs },
    to: { dependencyTypes: ['core'] },
  },
];

/** @type {import('dependency-cruiser').IForbiddenRuleType[]} */
const hygiene = [
  {
    name: 'no-cycles',
    comment: 'Files of a cycle can only be understood, tested and moved together.',
    severity: 'error',
    from: { pathNot: '/generated/' },
    to: { circular: true },
  },
  {
    name: 'images-carry-no-development-package',
    comment: 'An image installs dependencies only; a service that needs a development package would not start there.',
    severity: 'error',
    from: { path: '^(libs|services|gateway)/', pathNot: [proofs, '[.]config[.]ts$', '/write-[^/]+[.]ts$'] },
    to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'], pathNot: '/@types/' },
  },
  {
    name: 'specs-are-imported-by-nobody',
    comment: 'What two specs share belongs in testing/, where it has a name.',
    severity: 'error',
    from: {},
    to: { path: specs },
  },
  {
    name: 'doubles-stay-in-tests',
    comment: 'What lies in testing/ is made for proofs: it has no limits, no time-outs and no secrets.',
    severity: 'error',
    from: { path: '^(libs(?!/simulators)|services|gateway|web)/', pathNot: proofs },
    to: { path: ['^(libs|services|gateway|web)/.*/testing/', '^libs/simulators/'] },
  },
];

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [...islands, ...projects, ...ports, ...purity, ...hygiene],
  options: {
    doNotFollow: { path: ['node_modules'] },
    exclude: { path: ['^(libs|services|gateway|web|tools|bench|e2e)/.*dist/', '^[.]caravan/', '^coverage/'] },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    // Versions stand once, in the root package.json (ADR 0101).
    combinedDependencies: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'types', 'default'],
      extensions: ['.ts', '.tsx', '.mts', '.mjs', '.cjs', '.js', '.json', '.css'],
    },
  },
};
