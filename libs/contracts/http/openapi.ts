import { z } from 'zod';
import { operations } from './operations.ts';
import type { Operation } from './operations/operation.ts';
import { problemSchema } from './problem.ts';
import { spelledOut } from './spelled-out.ts';

type Json = { [key: string]: unknown };

export function openApiDocument(): Json {
  const paths: Record<string, Json> = {};
  for (const [id, operation] of Object.entries<Operation>(operations)) {
    paths[operation.path] = { ...paths[operation.path], [operation.method]: describe(id, operation) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Caravan',
      version: '1.0.0',
      description:
        'Log everyday movement, earn miles, travel together. Errors are RFC 9457 problem documents with `message` and `code`. Fields of format `text` and `text-lines` are what people type: their lengths count characters as people see them, an emoji is one.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    tags: [...new Set(Object.values<Operation>(operations).map(({ service }) => service))].map((name) => ({ name })),
    paths,
    components: {
      schemas: { Problem: jsonSchema(problemSchema, 'output') },
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
        refreshCookie: { type: 'apiKey', in: 'cookie', name: '__Host-rt' },
      },
    },
  };
}

function describe(id: string, operation: Operation): Json {
  return {
    operationId: id,
    tags: [operation.service],
    summary: operation.summary,
    security: securityOf(operation),
    ...parametersOf(operation),
    ...(operation.body && {
      requestBody: { required: true, content: { 'application/json': { schema: jsonSchema(operation.body, 'input') } } },
    }),
    responses: { ...answersOf(operation), ...refusalsOf(operation) },
  };
}

function securityOf({ access }: Operation): Json[] {
  if (access === 'public') return [];
  return access === 'cookie' ? [{ refreshCookie: [] }] : [{ bearer: [] }];
}

function parametersOf({ path, query, isIdempotent, isVersioned }: Operation): Json {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
  const fields = query ? (jsonSchema(query, 'input') as { properties?: Json; required?: string[] }) : {};
  const inQuery = Object.entries(fields.properties ?? {}).map(([name, schema]) => ({
    name,
    in: 'query',
    required: fields.required?.includes(name) ?? false,
    schema,
  }));
  const key = {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    schema: { type: 'string', pattern: '^[!-~]{1,200}$' },
  };
  const version = { name: 'If-Match', in: 'header', required: false, schema: { type: 'string' } };
  const inHeader = [...(isIdempotent ? [key] : []), ...(isVersioned ? [version] : [])];
  const parameters = [...inPath, ...inQuery, ...inHeader];
  return parameters.length > 0 ? { parameters } : {};
}

function answersOf({ answers, mediaType = 'application/json' }: Operation): Json {
  return Object.fromEntries(
    Object.entries(answers).map(([status, schema]) => [
      status,
      { description: 'Done.', content: { [mediaType]: { schema: jsonSchema(schema, 'output') } } },
    ]),
  );
}

function refusalsOf({ access, path, query, body, isIdempotent, isVersioned, refusals = {} }: Operation): Json {
  const names = path.includes('{');
  const isClosedToGuests = access === 'member' || access === 'admin';
  const unconfirmed = 'The e-mail address has to be confirmed first.';
  const own = isClosedToGuests && refusals[409] !== undefined ? { 409: `${refusals[409]} ${unconfirmed}` } : {};
  const usual: Record<string, string> = {
    ...(names && {
      400: 'The address cannot be read.',
      404: 'There is no such thing.',
      414: 'The address is too long.',
    }),
    ...(body && { 400: 'The address or the body cannot be read.', 413: 'Too large.', 415: 'Not application/json.' }),
    ...((body || query || isIdempotent) && { 422: 'A field, parameter or header is not valid.' }),
    ...(access === 'public' ? {} : { 401: 'Not signed in, or the session has ended.' }),
    ...(access === 'admin' && { 403: 'Needs the role admin.' }),
    ...(isClosedToGuests && { 409: unconfirmed }),
    ...(isVersioned && { 412: 'Somebody else has changed it since the version of If-Match.' }),
    429: 'Too many requests; see Retry-After.',
    431: 'The headers are too large.',
    503: 'Not available right now; see Retry-After.',
  };
  return Object.fromEntries(
    Object.entries({ ...usual, ...refusals, ...own }).map(([status, description]) => [
      status,
      { description, content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } } },
    ]),
  );
}

function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    reused: 'inline',
    override: ({ jsonSchema: made }) => {
      if (made.pattern !== undefined) made.pattern = spelledOut(made.pattern);
    },
  });
  return rest;
}
