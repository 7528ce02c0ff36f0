import { createHash } from 'node:crypto';
import type { IdempotentRequest } from '@caravan/event-store/core/event-store';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Invalid } from '@caravan/kernel/problem';
import { currentContext } from '../telemetry/request-context.ts';

const visibleAscii = /^[\x21-\x7e]{1,200}$/;

export const IdempotencyKey = createParamDecorator((_: undefined, context: ExecutionContext) => {
  const request = context.switchToHttp().getRequest<FastifyRequest>();
  const key = request.headers['idempotency-key'];
  if (key === undefined) return undefined;
  return idempotentRequest(key, {
    owner: currentContext()?.caller?.userId ?? request.ip,
    method: request.method,
    path: request.url.split('?', 1)[0] ?? '/',
    body: request.body,
  });
});

/** Throws `Invalid` (422) for a key that is not 1 to 200 visible ASCII characters. */
export function idempotentRequest(
  key: string | string[],
  { owner, method, path, body }: { owner: string; method: string; path: string; body: unknown },
): IdempotentRequest {
  if (typeof key !== 'string' || !visibleAscii.test(key))
    throw new Invalid(
      [{ path: 'Idempotency-Key', message: 'Idempotency-Key must be 1 to 200 visible ASCII characters' }],
      'idempotency/bad-key',
    );
  const bodyHash = createHash('sha256')
    .update(`${method} ${path}\n${JSON.stringify(body)}`)
    .digest('hex');
  return { owner, key, bodyHash };
}
