import { z } from 'zod';

/** The keywords of a JSON schema that pages show, in OpenAPI 3.1 and draft 7. */
const schemaShape = z.looseObject({
  type: z.union([z.string(), z.array(z.string())]).optional(),
  format: z.string().optional(),
  const: z.unknown().optional(),
  enum: z.array(z.unknown()).optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  minLength: z.number().optional(),
  maxLength: z.number().optional(),
  required: z.array(z.string()).optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  items: z.unknown().optional(),
  anyOf: z.array(z.unknown()).optional(),
  oneOf: z.array(z.unknown()).optional(),
  $ref: z.string().optional(),
});
type Schema = z.infer<typeof schemaShape>;

export const schemaIn = (value: unknown): Schema => schemaShape.parse(value ?? {});

const safeBound = Number.MAX_SAFE_INTEGER;

function range(least: number | undefined, most: number | undefined): string {
  const from = least !== undefined && Math.abs(least) < safeBound ? `from ${least}` : '';
  const to = most !== undefined && Math.abs(most) < safeBound ? `to ${most}` : '';
  return [from, to].filter((part) => part !== '').join(' ');
}

function scalar({ type, format, minimum, maximum, minLength, maxLength }: Schema): string {
  const name = format ?? (Array.isArray(type) ? type.join(' or ') : (type ?? 'any'));
  const bounds = range(minimum, maximum);
  const lengths = range(minLength, maxLength);
  return [name, bounds, lengths === '' ? '' : `${lengths} characters`].filter((part) => part !== '').join(', ');
}

/** One line, such as `list of uuid` or `'timer' or 'manual'`. */
export function typeIn(value: unknown): string {
  const schema = schemaIn(value);
  if (schema.$ref !== undefined) return schema.$ref.split('/').at(-1) ?? schema.$ref;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((one) => JSON.stringify(one)).join(' or ');
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return [...new Set(choices.map(typeIn))].join(' or ');
  if (schema.type === 'array') return `list of ${typeIn(schema.items)}`;
  if (schema.properties && Object.keys(schema.properties).length > 0) return 'object';
  return scalar(schema);
}

export type Field = { readonly path: string; readonly type: string; readonly isRequired: boolean };

/** The fields of an object, of the objects in it and of those in its lists. */
export function fieldsIn(value: unknown, prefix = ''): Field[] {
  const schema = schemaIn(value);
  const [inner] = (schema.anyOf ?? schema.oneOf ?? []).filter((one) => schemaIn(one).properties !== undefined);
  if (inner !== undefined) return fieldsIn(inner, prefix);
  if (schema.type === 'array') return fieldsIn(schema.items, `${prefix}[]`);
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const path = prefix === '' ? name : `${prefix}.${name}`;
    const own = { path, type: typeIn(property), isRequired: schema.required?.includes(name) ?? false };
    return [own, ...fieldsIn(property, path)];
  });
}
