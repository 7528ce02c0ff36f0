import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { operations } from '../../http/operations.ts';
import type { Operation } from '../../http/operations/operation.ts';
import { openApiDocument } from '../../http/openapi.ts';
import { charactersOf } from './text.ts';
import { type JsonSchema, samplesOf } from '../../testing/sampled.ts';
import { textCorpus } from '../../testing/text-corpus.ts';

type Described = {
  readonly operationId: string;
  readonly requestBody?: { readonly content: { readonly 'application/json': { readonly schema: JsonSchema } } };
};
type Path = readonly (string | 0)[];
type Field = { readonly operationId: string; readonly path: Path; readonly schema: JsonSchema };

/** Kinds of strings in a request that are not texts that people type. */
const otherFormats = new Set([
  'id',
  'uuid',
  'code',
  'token',
  'password',
  'path',
  'uri',
  'uri-reference',
  'data-url',
  'signature',
  'idn-email',
  'idn-hostname',
  'date',
  'date-time',
  'time-zone',
  'colour',
  'emoji',
  'base64url',
  'file-type',
  'file-name',
  'etag',
]);
const textFormats = new Set(['text', 'text-lines']);

const { paths } = openApiDocument() as { paths: Record<string, Record<string, Described>> };
const bodies = Object.values(paths)
  .flatMap((methods) => Object.values(methods))
  .flatMap(({ operationId, requestBody }) => {
    const schema = requestBody?.content['application/json'].schema;
    return schema === undefined ? [] : [{ operationId, schema }];
  });

function stringsIn(schema: JsonSchema, path: Path): { path: Path; schema: JsonSchema }[] {
  const inside = [
    ...(schema.anyOf ?? []).flatMap((one) => stringsIn(one, path)),
    ...(schema.items ? stringsIn(schema.items, [...path, 0]) : []),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, field]) => stringsIn(field, [...path, name])),
  ];
  const isFree = schema.type === 'string' && schema.enum === undefined && schema.const === undefined;
  return isFree ? [{ path, schema }, ...inside] : inside;
}

const fields: Field[] = bodies.flatMap(({ operationId, schema }) =>
  stringsIn(schema, []).map((field) => ({ operationId, path: field.path, schema: field.schema })),
);
const titleOf = ({ operationId, path }: Field) => `${operationId} ${path.join('.')}`;
const texts = fields.filter(({ schema }) => textFormats.has(schema.format ?? ''));

test('[D39] every string of a request is a text that people type, or is declared as something else', () => {
  const undeclared = fields.filter(
    ({ schema: { format = '' } }) => !textFormats.has(format) && !otherFormats.has(format),
  );
  expect(undeclared.map(titleOf)).toEqual([]);
  expect(texts.length).toBeGreaterThan(20);
});

test('[D39] a text that an answer has in common with a request is described as a string there too', () => {
  const untyped: string[] = [];
  JSON.stringify(paths, (name, value: unknown) => {
    const { format, type } = (value ?? {}) as JsonSchema;
    if (typeof value === 'object' && textFormats.has(format ?? '') && type !== 'string') untyped.push(name);
    return value;
  });
  expect(untyped).toEqual([]);
});

/** A valid body of the operation, in which the field's place is there. */
function sampleBody({ operationId, path }: Field): unknown {
  const schema = bodies.find((body) => body.operationId === operationId)?.schema ?? {};
  return fc.sample(samplesOf(schemaAt(schema, path)), { numRuns: 1, seed: 7 })[0];
}

/** The schema in which everything along a path must be there. */
function schemaAt(schema: JsonSchema, [step, ...rest]: Path): JsonSchema {
  if (step === undefined) return schema;
  const inner = schema.anyOf?.find(({ type }) => type === 'object' || type === 'array') ?? schema;
  if (step === 0)
    return { ...inner, minItems: Math.max(1, inner.minItems ?? 0), items: schemaAt(inner.items ?? {}, rest) };
  const properties = { ...inner.properties, [step]: schemaAt(inner.properties?.[step] ?? {}, rest) };
  return { ...inner, properties, required: [...new Set([...(inner.required ?? []), step])] };
}

function placeText(at: unknown, [step, ...rest]: Path, value: string): unknown {
  if (step === undefined) return value;
  const holder = at as Record<string | number, unknown>;
  holder[step] = placeText(holder[step], rest, value);
  return holder;
}

const readAt = (body: unknown, path: Path): unknown =>
  path.reduce<unknown>((at, step) => (at as Record<string | number, unknown>)[step], body);

/** Answers what a field becomes in an otherwise valid request, or the refusals of it. */
function takerOf(field: Field) {
  const sample = sampleBody(field);
  const body = new Map(Object.entries<Operation>(operations)).get(field.operationId)?.body;
  return (typed: string): unknown => {
    const result = body?.safeParse(placeText(structuredClone(sample), field.path, typed));
    const issues = (result?.error?.issues ?? []).filter(({ path }) => path.join('.') === field.path.join('.'));
    return issues.length > 0 ? 'refused' : readAt(result?.data, field.path);
  };
}

describe.each(texts.map((field) => [titleOf(field), field] as const))('[D39] the text %s', (_, field) => {
  const take = takerOf(field);
  const isRequired = (field.schema.minLength ?? 0) > 0;

  test('is taken, tidied or refused as every text is', () => {
    const wanted = textCorpus.map(({ name, becomes, isBlank }) => [name, isBlank && !isRequired ? '' : becomes]);
    expect(textCorpus.map(({ name, typed }) => [name, take(typed)])).toEqual(wanted);
  });

  test('has as many characters as people see: emojis as many as letters, and not one more', () => {
    const most = field.schema.maxLength ?? 0;
    expect(charactersOf(String(take('👨‍👩‍👧‍👦'.repeat(most))))).toHaveLength(most);
    expect(take('🏃'.repeat(most + 1))).toBe('refused');
  });
});
