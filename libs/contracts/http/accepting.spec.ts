import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { newPasswordSchema } from './accounts.ts';
import { operations } from './operations.ts';
import type { Operation } from './operations/operation.ts';
import { openApiDocument } from './openapi.ts';
import { spelledOut } from './spelled-out.ts';
import { type JsonSchema, samplesOf } from '../testing/sampled.ts';

type Parameter = {
  readonly in: string;
  readonly name: string;
  readonly required: boolean;
  readonly schema: JsonSchema;
};
type Described = {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: { readonly 'application/json': { readonly schema: JsonSchema } } };
};

const { paths } = openApiDocument() as { paths: Record<string, Record<string, Described>> };
const described = Object.values(paths).flatMap((methods) => Object.values(methods));
const byId = new Map(Object.entries<Operation>(operations));
const runs = { numRuns: 60 };

/** What the document cannot say: a place in a list is the server's own word. */
const opaque = new Set(['cursor']);

describe('[D38] whatever a document allows, the validation takes:', () => {
  test.each(described.filter(({ requestBody }) => requestBody))('the body of $operationId', (operation) => {
    const { schema } = operation.requestBody?.content['application/json'] ?? { schema: {} };
    const body = byId.get(operation.operationId)?.body;
    fc.assert(
      fc.property(samplesOf(schema), (one) => {
        expect(body?.safeParse(one).error?.issues, JSON.stringify(one)).toBeUndefined();
      }),
      runs,
    );
  });

  test.each(described.filter(({ operationId }) => byId.get(operationId)?.query))(
    'the query of $operationId',
    (operation) => {
      const parameters = (operation.parameters ?? []).filter((one) => one.in === 'query' && !opaque.has(one.name));
      const required = parameters.filter((one) => one.required).map(({ name }) => name);
      const properties = Object.fromEntries(parameters.map(({ name, schema }) => [name, schema]));
      fc.assert(
        fc.property(samplesOf({ type: 'object', properties, required }), (one) => {
          const sent = Object.fromEntries(Object.entries(one as object).map(([name, value]) => [name, String(value)]));
          expect(
            byId.get(operation.operationId)?.query?.safeParse(sent).error?.issues,
            JSON.stringify(sent),
          ).toBeUndefined();
        }),
        runs,
      );
    },
  );
});

describe('[D38] what the validation takes, the document allows:', () => {
  const { pattern = '' } =
    described.find(({ operationId }) => operationId === 'signup')?.requestBody?.content['application/json'].schema
      .properties?.['password'] ?? {};

  test('a password of any script, and without \\p, which not every tool knows', () => {
    expect(pattern).not.toContain('\\p');
    const written = new RegExp(pattern, 'u');
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 8, maxLength: 60 }), fc.boolean(), (typed, isMended) => {
        const password = isMended ? `${typed}Жж٣—` : typed;
        expect(written.test(password), JSON.stringify(password)).toBe(newPasswordSchema.safeParse(password).success);
      }),
      { numRuns: 2_000 },
    );
  });

  test.each([String.raw`\p{Ll}`, String.raw`\p{Lu}`, String.raw`\p{Nd}`, String.raw`[\p{P}\p{S}]`])(
    'every character of %s, and no other',
    (kind) => {
      const told = new RegExp(kind, 'u');
      const written = new RegExp(spelledOut(kind), 'u');
      const all = Array.from({ length: 0x11_0000 }, (_, code) => String.fromCodePoint(code));
      expect(all.filter((one) => told.test(one) !== written.test(one))).toEqual([]);
    },
  );
});
