import { Rejected } from '@caravan/event-store/rejected';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { Invalid } from './problem.ts';

/** The schema travels wrapped: Nest takes anything with a `transform` method, as zod schemas have, for a pipe. */
function validated(read: (request: FastifyRequest, schema: z.ZodType) => unknown) {
  const decorate = createParamDecorator(({ contract }: { contract: z.ZodType }, context: ExecutionContext) =>
    read(context.switchToHttp().getRequest<FastifyRequest>(), contract),
  );
  return (contract: z.ZodType): ParameterDecorator => decorate({ contract });
}

/**
 * The JSON body, parsed by its contract; unknown fields are dropped (D38). Not JSON or no body 400, other content type
 * 415, too large 413, invalid 422 with `errors`.
 */
export const ValidBody = validated(({ body }, schema) => {
  if (body === undefined) throw new NoBody();
  return parse(schema, body);
});

/** The query, parsed by its contract; a repeated parameter is an array and mostly refused. */
export const ValidQuery = validated(({ query }, schema) => parse(schema, { ...(query as object) }));

/** The path's parameters, parsed by their contract: what does not fit does not exist (404, D4). */
export const ValidParams = validated(({ params }, schema) => {
  const parsed = schema.safeParse(params);
  if (!parsed.success) throw new Rejected('request/not-found', 'not-found', 'Not found');
  return parsed.data;
});

/** Parameters of a path that names one thing: `@ValidParams(idParams) { id }`. */
export const idParams = z.object({ id: z.uuid() });

/** Schema of path parameters that are all ids. */
export function uuidParams<const Name extends string>(...names: Name[]): z.ZodObject<Record<Name, z.ZodUUID>> {
  return z.object(Object.fromEntries(names.map((name) => [name, z.uuid()])) as Record<Name, z.ZodUUID>);
}

/** Nothing came where a JSON body was needed (400, like any other text that is not JSON). */
class NoBody extends Error {
  readonly code = 'FST_ERR_CTP_EMPTY_JSON_BODY';
}

/** Parses by a contract or throws `Invalid` with every path that is wrong. */
export function parse<Schema extends z.ZodType>(schema: Schema, value: unknown): z.infer<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new Invalid(parsed.error.issues.map(({ path, message }) => ({ path: path.map(String).join('.'), message })));
}
