import fc, { type Arbitrary } from 'fast-check';

/** A JSON Schema as OpenAPI carries it, as far as this product writes one. */
export type JsonSchema = {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly contains?: JsonSchema;
  readonly if?: JsonSchema;
  readonly else?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly pattern?: string;
  readonly format?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly multipleOf?: number;
};

/** Values as somebody would send them who knows nothing but the document. */
export function samplesOf(schema: JsonSchema): Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map(samplesOf));
  switch (schema.type) {
    case 'object':
      return sampledObject(schema);
    case 'array':
      return sampledArray(schema);
    case 'string':
      return sampledText(schema);
    case 'integer':
    case 'number':
      return sampledNumber(schema);
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case undefined:
    default:
      return fc.jsonValue();
  }
}

function sampledObject(schema: JsonSchema): Arbitrary<unknown> {
  const { if: condition, else: otherwise, ...plain } = schema;
  if (!condition || !otherwise) return plainObject(schema);
  return fc.oneof(
    plainObject(narrowSchema(plain, condition)),
    plainObject(narrowSchema(plain, otherwise)).filter(misses(condition)),
  );
}

/** True for values in which a field that the condition names is another one. */
const misses =
  ({ properties = {} }: JsonSchema) =>
  (value: unknown) =>
    Object.entries(properties).some(([name, field]) => (value as Record<string, unknown>)[name] !== field.const);

function plainObject({ properties = {}, required = [] }: JsonSchema): Arbitrary<unknown> {
  const fields = Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, samplesOf(field)]));
  return fc.record(fields, { requiredKeys: [...required], noNullPrototype: true });
}

/** With one item for each that the list must contain. */
function sampledArray({ items = {}, allOf = [], ...schema }: JsonSchema): Arbitrary<unknown> {
  const contained = allOf.flatMap(({ contains }) => (contains ? [samplesOf(narrowSchema(items, contains))] : []));
  const { minItems: minLength = 0, maxItems = 5, uniqueItems } = schema;
  const range = { minLength, maxLength: Math.min(maxItems, minLength + 5) };
  const selector = { ...range, selector: (item: unknown) => JSON.stringify(item) };
  const others = uniqueItems ? fc.uniqueArray(samplesOf(items), selector) : fc.array(samplesOf(items), range);
  return fc.tuple(fc.tuple(...contained), others).map(([first, rest]) => [...first, ...rest]);
}

function narrowSchema(schema: JsonSchema, by: JsonSchema): JsonSchema {
  const fields = Object.entries(by.properties ?? {}).map(([name, field]) => [
    name,
    { ...schema.properties?.[name], ...field },
  ]);
  return {
    ...schema,
    properties: { ...schema.properties, ...(Object.fromEntries(fields) as Record<string, JsonSchema>) },
    required: [...new Set([...(schema.required ?? []), ...(by.required ?? [])])],
  };
}

function sampledText({ pattern, format, minLength = 0, maxLength = 200, allOf = [] }: JsonSchema): Arbitrary<string> {
  const patterns = [pattern, ...allOf.map((part) => part.pattern)].filter((one) => one !== undefined);
  const expressions = patterns.map((one) => new RegExp(one, 'u'));
  const fits = (text: string) =>
    [...text].length >= minLength &&
    [...text].length <= maxLength &&
    expressions.every((expression) => expression.test(text));
  return textOf({ pattern: patterns[0], format, minLength, maxLength: Math.min(maxLength, 200) }).filter(fits);
}

type Wish = { pattern: string | undefined; format: string | undefined; minLength: number; maxLength: number };

function textOf({ pattern, format, minLength, maxLength }: Wish): Arbitrary<string> {
  if (format === 'email' || format === 'idn-email')
    return fc.stringMatching(/^[a-z0-9]{1,20}(\.[a-z0-9]{1,9})?@[a-z0-9]{1,20}\.[a-z]{2,6}$/);
  if (format === 'idn-hostname') return fc.stringMatching(/^@?([a-zà-ö0-9]{1,9}\.){1,3}[a-zà-ö]{2,6}$/);
  if (format === 'uuid') return fc.uuid();
  const date = fc.date({ min: new Date('1900-01-01'), max: new Date('2199-12-31'), noInvalidDate: true });
  if (format === 'date') return date.map((day) => day.toISOString().slice(0, 10));
  if (format === 'date-time') return date.map((day) => day.toISOString());
  const any = fc.string({ unit: 'binary', minLength, maxLength });
  if (pattern === undefined) return any;
  const [, names] = /^\^\(([^()]*)\)\$$/.exec(pattern) ?? [];
  if (names !== undefined) return fc.constantFrom(...names.replaceAll('\\', '').split('|'));
  // What only looks ahead names kinds of characters that must be there: one of each is added.
  if (pattern.includes('(?=')) return any.map((text) => [...text].slice(0, maxLength - 4).join('') + 'aA1!');
  return fc.oneof(fc.stringMatching(new RegExp(pattern, 'u'), { maxLength }), any);
}

function sampledNumber({ type, multipleOf = 1, ...schema }: JsonSchema): Arbitrary<number> {
  const { minimum = -1e9, maximum = 1e9, exclusiveMinimum } = schema;
  const least = exclusiveMinimum === undefined ? minimum : exclusiveMinimum + multipleOf;
  if (type === 'number' && multipleOf === 1) return fc.double({ min: least, max: maximum, noNaN: true });
  const min = Math.ceil(least / multipleOf);
  const max = Math.floor(Math.min(maximum, 1e9) / multipleOf);
  return fc.integer({ min, max: Math.min(max, 2 ** 31 - 1) }).map((times) => Number((times * multipleOf).toFixed(2)));
}
