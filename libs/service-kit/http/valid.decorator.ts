import { Rejected } from '@caravan/kernel/rejected';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { Invalid } from '@caravan/kernel/problem';

/** Wrapped: Nest takes anything with a `transform` method, as zod schemas have, for a pipe. */
function createDecorator(read: (request: FastifyRequest, schema: z.ZodType) => unknown) {
  const decorate = createParamDecorator(({ contract }: { contract: z.ZodType }, context: ExecutionContext) =>
    read(context.switchToHttp().getRequest<FastifyRequest>(), contract),
  );
  return (contract: z.ZodType): ParameterDecorator => decorate({ contract });
}

/** No body at all says as little as `{}`. */
export const ValidOptionalBody = createDecorator(({ body }, schema) => parse(schema, body ?? {}));

/** Unknown fields are dropped (D38). No JSON 400, other content type 415, too large 413, invalid 422. */
export const ValidBody = createDecorator(({ body }, schema) => {
  if (body === undefined) throw new NoBody();
  return parse(schema, body);
});

export const ValidQuery = createDecorator(({ query }, schema) => parse(schema, { ...(query as object) }));

/** What does not fit does not exist (404, D4). */
export const ValidParams = createDecorator(({ params }, schema) => {
  const parsed = schema.safeParse(params);
  if (!parsed.success) throw new Rejected('request/not-found', 'not-found', 'Not found');
  return parsed.data;
});

export const idParams = z.object({ id: z.uuid() });

export function uuidParams<const Name extends string>(...names: Name[]): z.ZodObject<Record<Name, z.ZodUUID>> {
  return z.object(Object.fromEntries(names.map((name) => [name, z.uuid()])) as Record<Name, z.ZodUUID>);
}

class NoBody extends Error {
  readonly code = 'FST_ERR_CTP_EMPTY_JSON_BODY';
}

/** Throws `Invalid` with every path that is wrong. */
export function parse<Schema extends z.ZodType>(schema: Schema, value: unknown): z.infer<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new Invalid(parsed.error.issues.map(({ path, message }) => ({ path: path.map(String).join('.'), message })));
}
