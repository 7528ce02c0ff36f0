import { basename } from 'node:path';
import { besideRooms, looseFiles, roomsInOrder } from './rooms.ts';
import { noBareParticiples } from './naming-lint-rules.mjs';
import { screenRules } from './screen-lint-rules.mjs';

const writing =
  /\b(insert into|update [a-z_.]+ (set\b|[a-z]+ set\b|as\b)|delete from|truncate|merge into|select [a-z]+\.forget_[a-z_]+)\b/i;
/** Prisma's words that are nobody else's. */
const rowWriters = new Set([
  'createMany',
  'updateMany',
  'deleteMany',
  'createManyAndReturn',
  'updateManyAndReturn',
  'upsert',
]);
const writers = new Set(['append', 'handle', 'enqueueWrite', ...rowWriters]);
/** Words that Prisma shares with others: they write rows of `rows.of(orgId).post` alone. */
const sharedRowWriters = new Set(['create', 'update', 'delete']);
const prismaTables = new Set(['of', 'ofEveryone']);

const sqlIn = (node) => (node.type === 'TemplateElement' ? node.value.raw : node.value);
const writes = (node) => typeof sqlIn(node) === 'string' && writing.test(sqlIn(node));

/** Whether a call writes rows: by Prisma, or by the statements of a table's descriptor. */
function writesByCall({ type, name, property, object }) {
  if (type === 'Identifier') return name === 'table';
  if (type !== 'MemberExpression') return false;
  if (rowWriters.has(property.name)) return true;
  // One transaction of several writing statements.
  if (property.name === 'together') return (object.property ?? object).name === 'rows';
  const tables = object.type === 'MemberExpression' ? object.object : undefined;
  return (
    sharedRowWriters.has(property.name) &&
    tables?.type === 'CallExpression' &&
    prismaTables.has(tables.callee.property?.name)
  );
}

const isProof = ({ path }) => /\.spec\.ts$|(^|\/)(testing|generated)\//.test(path);

/** Where a file lies in its service; undefined outside of services in rooms. */
function placeOf({ filename, options: [{ rooms = roomsInOrder } = {}] }) {
  const [, service, path] = /services\/([^/]+)\/src\/(.+)$/.exec(filename.replaceAll('\\', '/')) ?? [];
  return path !== undefined && service in rooms
    ? { service, order: rooms[service], path, name: basename(path) }
    : undefined;
}

const schema = [{ type: 'object', properties: { rooms: { type: 'object' } }, additionalProperties: false }];

/** Where files lie: in a room of the declared order, one Nest module and one consumer file per source and purpose. */
const inRooms = {
  meta: { type: 'problem', schema },
  create(context) {
    const place = placeOf(context);
    if (!place) return {};
    const { path, name, order } = place;
    const [room] = path.includes('/') ? path.split('/') : [];
    const refuse = (node, message) => context.report({ node, message });
    return {
      Program(node) {
        if (room === undefined && !looseFiles.test(name))
          refuse(
            node,
            'Only what puts the rooms together lies in src itself (tools/house/rooms.ts): put this into the room it belongs to.',
          );
        if (room !== undefined && !order.includes(room) && !besideRooms.includes(room))
          refuse(node, `The room '${room}' has no place in the order: name it in tools/house/rooms.ts.`);
        if (name.endsWith('.module.ts') && name !== 'app.module.ts')
          refuse(node, 'One Nest module per service: list the providers in app.module.ts.');
        if (/-when-.*\.consumer\.ts$/.test(name))
          refuse(node, 'One consumer file per source and purpose; its methods are the sentences.');
      },
      'Decorator > CallExpression[callee.name="Module"]'(node) {
        if (path !== 'app.module.ts') refuse(node, 'One Nest module per service: app.module.ts.');
      },
    };
  },
};

const ofDatabase = /^@caravan\/(event-store\/|service-kit\/storage\/pool$)/;
const outside =
  /^@caravan\/service-kit\/storage\/(redis|objects)|\.client\.ts$|^node:(net|http|https|tls|dns|child_process|worker_threads)|^(?!@caravan\/|@nestjs\/|node:|\.|zod$|lru-cache$)/;

const onSql = (visit) => ({ TemplateElement: visit, Literal: visit });

const onlyReads = (refuse) => {
  const message = 'A .query only reads; what writes rows is a .store.';
  return {
    ...onSql((node) => writes(node) && refuse(node, message)),
    CallExpression({ callee }) {
      if (writers.has(callee.property?.name) || writesByCall(callee)) refuse(callee, message);
    },
  };
};

const writesNoRows = (refuse) => {
  const message = 'What writes rows stands in the .store or .projection of its feature.';
  return {
    ...onSql((node) => writes(node) && refuse(node, message)),
    CallExpression: ({ callee }) => writesByCall(callee) && refuse(callee, message),
  };
};

const writesRows = (refuse) => {
  let isWriting = false;
  return {
    ...onSql((node) => (isWriting ||= writes(node))),
    CallExpression: ({ callee }) => (isWriting ||= writesByCall(callee)),
    'Program:exit'(node) {
      if (!isWriting) refuse(node, 'A .store writes rows; what only reads is a .query.');
    },
  };
};

/** One idiom for the layer; a class stands there only where a library's port or an error asks for one. */
const holdsFunctions = (message) => (refuse) => ({
  'ClassDeclaration[superClass=null]'(node) {
    if (node.implements.length === 0) refuse(node.id, message);
  },
});

const reachesOutside = (refuse) => {
  let database;
  let isOutside = false;
  return {
    ImportDeclaration(node) {
      const source = node.source.value;
      if (node.importKind !== 'type' && database === undefined && ofDatabase.test(source)) database = node;
      isOutside ||= outside.test(source);
    },
    'CallExpression[callee.name="fetch"]'() {
      isOutside = true;
    },
    'Program:exit'() {
      if (database && !isOutside)
        refuse(database, 'A .client speaks to something outside, not to our tables alone: .query, .store or .service.');
    },
  };
};

const joinsParts = (refuse) => {
  let parts = 0;
  return {
    ImportDeclaration({ source }) {
      if (source.value.startsWith('.')) parts += 1;
    },
    'MethodDefinition[kind="constructor"]'({ value }) {
      parts += value.params.length;
    },
    // State that outlives a request: a cache, work in progress.
    'PropertyDefinition[value.type="NewExpression"]'() {
      parts += 1;
    },
    'Program:exit'(node) {
      if (parts < 3)
        refuse(node, 'A .service carries a use case over several parts or holds state; this one does neither.');
    },
  };
};

const isSystemFile = /\.system\.(store|query)\.ts$/;

/** Statements beyond one organisation are made by `withSystem`, and of Prisma's tables by `Rows.ofEveryone`. */
const beyondOneOrganisation = [
  'ImportSpecifier[imported.name="withSystem"]',
  'CallExpression[callee.property.name="ofEveryone"]',
];

const staysInOneOrganisation = (refuse) =>
  Object.fromEntries(
    beyondOneOrganisation.map((selector) => [
      selector,
      (node) => refuse(node, 'Only a .system.store or .system.query looks beyond one organisation.'),
    ]),
  );

const looksBeyondOneOrganisation = (refuse) => {
  let isBeyond = false;
  const markFound = () => {
    isBeyond = true;
  };
  return {
    ...Object.fromEntries(beyondOneOrganisation.map((selector) => [selector, markFound])),
    'Program:exit'(node) {
      if (!isBeyond) refuse(node, 'A .system file looks beyond one organisation; this one does not.');
    },
  };
};

const checksOf = {
  query: [onlyReads, holdsFunctions('A .query holds functions that take the pool or the transaction first.')],
  store: [writesRows, holdsFunctions('A .store holds functions that take the transaction first.')],
  projection: [],
  service: [joinsParts, writesNoRows],
  client: [reachesOutside, writesNoRows],
};

/** Visitors of different checks visit different nodes, or the same ones one after the other. */
function together(checks) {
  const names = new Set(checks.flatMap((check) => Object.keys(check)));
  return Object.fromEntries([...names].map((name) => [name, (node) => checks.forEach((check) => check[name]?.(node))]));
}

/** A suffix says what a file does: `.query` reads, `.store` writes rows, `.service` joins parts, `.client` reaches outside. */
const suffixTellsTruth = {
  meta: { type: 'problem', schema },
  create(context) {
    const place = placeOf(context);
    if (!place || isProof(place)) return {};
    const [, suffix] = /\.([a-z]+)\.ts$/.exec(place.name) ?? [];
    const checks = [...(checksOf[suffix] ?? [writesNoRows])];
    if (isSystemFile.test(place.name)) checks.push(looksBeyondOneOrganisation);
    else if (place.name !== 'app.module.ts') checks.push(staysInOneOrganisation);
    return together(checks.map((check) => check((node, message) => context.report({ node, message }))));
  },
};

const keyNames = ({ properties }) => properties.map(({ key }) => key?.name);
const isPublicEvent = (node) => ['type', 'version'].every((name) => keyNames(node).includes(name));

/** One file answers what a feature publishes, and it answers nothing else. */
const publicEventsApart = {
  meta: { type: 'problem', schema },
  create(context) {
    const place = placeOf(context);
    if (!place || isProof(place)) return {};
    const refuse = (node, message) => context.report({ node, message });
    if (place.name === 'public-events.ts')
      return {
        'ImportSpecifier[imported.name=/^(StreamKind|Projection)$/]'(node) {
          refuse(node, 'Streams and projections have files of their own.');
        },
      };
    const message = 'An event for others is built in the public-events.ts of its feature.';
    return {
      ObjectExpression: (node) => isPublicEvent(node) && refuse(node, message),
      'ImportSpecifier[imported.name="auditedAct"]': (node) => refuse(node, message),
    };
  },
};

export const house = {
  rules: {
    'in-rooms': inRooms,
    'suffix-tells-truth': suffixTellsTruth,
    'public-events-apart': publicEventsApart,
    'no-bare-participles': noBareParticiples,
    ...screenRules,
  },
};
