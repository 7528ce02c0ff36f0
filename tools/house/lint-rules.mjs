import { basename } from 'node:path';
import { besideRooms, looseFiles, roomsInOrder } from './rooms.ts';
import { screenRules } from './screen-lint-rules.mjs';

const writing = /\b(insert into|update [a-z_.]+ (set\b|[a-z]+ set\b|as\b)|delete from|truncate|merge into)\b/i;
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

const sqlIn = (node) => (node.type === 'TemplateElement' ? node.value.raw : node.value);
const writes = (node) => typeof sqlIn(node) === 'string' && writing.test(sqlIn(node));

/** Where a file lies in its service; undefined outside of services in rooms. */
function placeOf({ filename, options: [{ rooms = roomsInOrder } = {}] }) {
  const [, service, path] = /services\/([^/]+)\/src\/(.+)$/.exec(filename.replaceAll('\\', '/')) ?? [];
  return path !== undefined && service in rooms ? { order: rooms[service], path, name: basename(path) } : undefined;
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

/** A suffix says what a file does: `.query` reads, `.store` writes rows, `.service` joins parts, `.client` reaches outside. */
const suffixTellsTruth = {
  meta: { type: 'problem', schema },
  create(context) {
    const place = placeOf(context);
    const [, suffix] = /\.(query|store|service|client)\.ts$/.exec(place?.name ?? '') ?? [];
    const refuse = (node, message) => context.report({ node, message });
    const sql = (visit) => ({ TemplateElement: visit, Literal: visit });
    if (suffix === 'query') {
      const message = 'A .query only reads; what writes rows is a .store.';
      return {
        ...sql((node) => writes(node) && refuse(node, message)),
        CallExpression({ callee }) {
          if (callee.type === 'MemberExpression' && writers.has(callee.property.name)) refuse(callee, message);
        },
      };
    }
    if (suffix === 'client') {
      let database;
      let reachesOutside = false;
      return {
        ImportDeclaration(node) {
          const source = node.source.value;
          if (node.importKind !== 'type' && database === undefined && ofDatabase.test(source)) database = node;
          reachesOutside ||= outside.test(source);
        },
        'CallExpression[callee.name="fetch"]'() {
          reachesOutside = true;
        },
        'Program:exit'() {
          if (database && !reachesOutside)
            refuse(
              database,
              'A .client speaks to something outside, not to our tables alone: .query, .store or .service.',
            );
        },
      };
    }
    if (suffix === 'store') {
      let isWriting = false;
      return {
        ...sql((node) => (isWriting ||= writes(node))),
        CallExpression({ callee }) {
          isWriting ||= callee.type === 'MemberExpression' && rowWriters.has(callee.property.name);
        },
        'Program:exit'(node) {
          if (!isWriting) refuse(node, 'A .store writes rows; what only reads is a .query.');
        },
      };
    }
    if (suffix !== 'service') return {};
    let parts = 0;
    return {
      ImportDeclaration({ source }) {
        if (source.value.startsWith('.')) parts += 1;
      },
      'MethodDefinition[kind="constructor"]'({ value }) {
        parts += value.params.length;
      },
      'Program:exit'(node) {
        if (parts < 3) refuse(node, 'A .service carries a use case over several parts; this one has hardly any.');
      },
    };
  },
};

export const house = { rules: { 'in-rooms': inRooms, 'suffix-tells-truth': suffixTellsTruth, ...screenRules } };
