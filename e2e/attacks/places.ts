import { operations } from '@caravan/contracts/http/operations';
import type { Operation } from '@caravan/contracts/http/operations/operation';
import { z } from 'zod';

export type OperationId = keyof typeof operations;

export const allOperations = Object.entries(operations) as [OperationId, Operation][];

export type Place = `${'path' | 'query' | 'body'}.${string}`;

const namesAThing = /(^ids?|Id|^cursor|^code|^token|^invite|^key|Key|Path|photoURL)$/;

export function placesOf({ path, query, body }: Operation): Place[] {
  return [
    ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => `path.${name ?? ''}` as const),
    ...fieldsOf(query).map((name) => `query.${name}` as const),
    ...fieldsOf(body).map((name) => `body.${name}` as const),
  ].filter((place) => place.startsWith('path.') || namesAThing.test(place.split('.').at(-1) ?? ''));
}

export function fieldsOf(schema: z.ZodType | undefined): string[] {
  return schema ? namesIn(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', reused: 'inline' })) : [];
}

type Described = { properties?: Record<string, Described>; items?: Described; anyOf?: Described[] };

function namesIn(described: object): string[] {
  const { properties = {}, items, anyOf = [] } = described as Described;
  const nested = [...(items ? [items] : []), ...anyOf].flatMap(namesIn);
  const own = Object.entries(properties).flatMap(([name, field]) => [
    name,
    ...namesIn(field).map((inner) => `${name}.${inner}`),
  ]);
  return [...own, ...nested];
}
