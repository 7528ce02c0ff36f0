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
  social: ['directory', 'feed', 'reactions', 'comments', 'ballots', 'recaps', 'notifications', 'my-data'],
  integrations: ['rows', 'providers', 'accounts', 'importing', 'syncing', 'webhooks', 'connecting', 'my-data'],
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
    'directory',
    'ledger',
    'leaderboards',
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

/** The folders of libraries in their order: each may import those before it. */
export const libraryFoldersInOrder: Rooms = {
  'service-kit': ['telemetry', 'process', 'storage', 'media', 'live', 'jobs', 'http'],
};

/** The boundaries inside libraries, for dependency-cruiser. */
export const libraryBoundariesOf = (libraries = libraryFoldersInOrder): IForbiddenRuleType[] =>
  Object.entries(libraries).flatMap(([library, order]) =>
    order.slice(0, -1).map((folder, nth) =>
      forbid({
        name: 'library-folders-stand-in-their-order',
        comment: 'A folder of a library imports those before it (tools/house/rooms.ts): one direction, no circle.',
        from: { path: `^libs/${library}/${folder}/`, pathNot: proofs },
        to: { path: `^libs/${library}/(${order.slice(nth + 1).join('|')})/` },
      }),
    ),
  );

/** The boundaries inside services, for dependency-cruiser. */
export const boundariesOf = (rooms = roomsInOrder): IForbiddenRuleType[] =>
  Object.entries(rooms).flatMap(([service, order]) => rulesOfRooms(service, order));
