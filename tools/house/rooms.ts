import type { IForbiddenRuleType } from 'dependency-cruiser';

type Rooms = Readonly<Record<string, readonly string[]>>;

/** A service's rooms (folders in `src`) in their order: each may use those before it, through their index.ts alone. */
export const roomsInOrder: Rooms = {
  activity: [
    'directory',
    'bonus-window',
    'photos',
    'companion',
    'logging',
    'importing',
    'frequent-activities',
    'my-data',
  ],
  social: ['directory', 'feed', 'reactions', 'comments', 'ballots', 'drawing', 'recaps', 'notifications', 'my-data'],
  integrations: [
    'rows',
    'providers',
    'accounts',
    'importing',
    'syncing',
    'outages',
    'webhooks',
    'connecting',
    'my-data',
  ],
  identity: [
    'audit',
    'mail',
    'credentials',
    'signing-keys',
    'sessions',
    'organisations',
    'membership',
    'addresses',
    'recovery',
    'invites',
    'accounts',
    'people',
    'me',
    'notices',
    'push',
    'leaving',
    'operator',
  ],
  scoring: [
    'queues',
    'directory',
    'ledger',
    'leaderboards',
    'board-weeks',
    'dashboard',
    'badges',
    'journey',
    'challenge-templates',
    'weekly-challenges',
    'bonus-challenges',
    'notices',
    'analytics',
    'my-data',
  ],
};

export const looseFiles = /^(main|app\.module|env|ports)(\.int)?(\.spec)?\.ts$/;
/** Folders in `src` that are no rooms. */
export const besideRooms = ['generated', 'testing'];

const proofs = '([.](int[.]|e2e[.])?spec[.]ts$|/testing/)';

const forbid = (rule: IForbiddenRuleType): IForbiddenRuleType => ({ severity: 'error', ...rule });

const rulesOfRooms = (service: string, order: readonly string[]): IForbiddenRuleType[] => {
  const src = `^services/${service}/src`;
  const room = `${src}/(?!(${besideRooms.join('|')})/)[^/]+/`;
  return [
    forbid({
      name: 'rooms-meet-through-their-faces',
      comment: 'What a room offers the others stands in its index.ts; everything else in it can change alone.',
      from: { path: `${src}/([^/]+)/`, pathNot: proofs },
      to: { path: room, pathNot: [`${src}/$1/`, `${src}/[^/]+/index[.]ts$`] },
    }),
    forbid({
      name: 'ports-know-no-room',
      comment: 'Ports are what rooms below tell those above: types and tokens that stand under all of them.',
      from: { path: `${src}/(ports|env)[.]ts$` },
      to: { path: room },
    }),
    forbid({
      name: 'queries-call-no-writer',
      comment: 'A read never writes: what must exist is made by a consumer or a job.',
      from: { path: `${src}/.+[.]query[.]ts$` },
      to: { path: `${src}/.+[.](store|service|consumer|job)[.]ts$`, dependencyTypesNot: ['type-only'] },
    }),
    ...order.slice(0, -1).map((name, nth) =>
      forbid({
        name: 'rooms-stand-in-their-order',
        comment:
          'Rooms use those before them (tools/house/rooms.ts): one direction, no circle, read from left to right.',
        from: { path: `${src}/${name}/`, pathNot: proofs },
        to: { path: `${src}/(${order.slice(nth + 1).join('|')})/` },
      }),
    ),
  ];
};

/** The libraries in their order: each may import those before it, and `contracts`, which imports none. */
export const librariesInOrder: readonly string[] = [
  'kernel',
  'event-store',
  'service-kit',
  'auth',
  'messaging',
  'simulators',
];

/** The boundaries between libraries, for dependency-cruiser. */
export const libraryOrderOf = (order = librariesInOrder): IForbiddenRuleType[] =>
  order.slice(0, -1).map((library, nth) =>
    forbid({
      name: 'libraries-stand-in-their-order',
      comment: 'A library imports those before it (tools/house/rooms.ts): one direction, no circle.',
      from: { path: `^libs/${library}/`, pathNot: proofs },
      to: { path: `^libs/(${order.slice(nth + 1).join('|')})/` },
    }),
  );

/** The folders of libraries, gateway and launcher in their order: each may import those before it. */
export const foldersInOrder: Rooms = {
  'gateway/src': ['routing', 'admission', 'uploads', 'live', 'web'],
  'libs/contracts': ['domain', 'events', 'http'],
  'libs/event-store': ['core', 'postgres', 'rebuild'],
  'libs/messaging': ['kafka', 'relay', 'consumer', 'freshness', 'operator'],
  'libs/service-kit': ['telemetry', 'process', 'storage', 'media', 'live', 'jobs', 'http'],
  'tools/caravan': ['process', 'build', 'servers', 'operate', 'containers', 'commands'],
};

/** Source files beside those folders: they put the parts together, and settings, which any part may read. */
export const filesBesideFolders: Rooms = {
  'gateway/src': ['env.ts', 'main.ts', 'server.ts', 'start.ts'],
  'libs/messaging': ['messaging.module.ts'],
  'tools/caravan': ['main.ts'],
};

/** The boundaries between those folders, for dependency-cruiser. */
export const folderBoundariesOf = (all = foldersInOrder): IForbiddenRuleType[] =>
  Object.entries(all).flatMap(([home, order]) => [
    ...order.slice(0, -1).map((folder, nth) =>
      forbid({
        name: 'folders-stand-in-their-order',
        comment: 'A folder imports those before it (tools/house/rooms.ts): one direction, no circle.',
        from: { path: `^${home}/${folder}/`, pathNot: proofs },
        to: { path: `^${home}/(${order.slice(nth + 1).join('|')})/` },
      }),
    ),
    forbid({
      name: 'folders-know-nothing-above',
      comment: 'The files beside the folders put them together; a folder that imported one would close a circle.',
      from: { path: `^${home}/(${order.join('|')})/`, pathNot: proofs },
      to: { path: `^${home}/[^/]+[.]ts$`, pathNot: '/env[.]ts$' },
    }),
  ]);

/** The boundaries inside services, for dependency-cruiser. */
export const boundariesOf = (rooms = roomsInOrder): IForbiddenRuleType[] =>
  Object.entries(rooms).flatMap(([service, order]) => rulesOfRooms(service, order));
