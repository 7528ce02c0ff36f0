import { versionOf } from '@caravan/contracts/domain/version';
import { Rejected } from '@caravan/kernel/rejected';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

/** The version that the caller has seen (`versionOf`); undefined: it saves on whatever is there. */
export const IfMatch = createParamDecorator((_: undefined, context: ExecutionContext): string | undefined => {
  const value = context.switchToHttp().getRequest<FastifyRequest>().headers['if-match'];
  return value === undefined || value === '*' ? undefined : value.replace(/^"(.*)"$/, '$1');
});

/**
 * Call it with the lock that writers of this state take, so that nobody changes it in between.
 * Throws `Rejected` (412) when the caller has seen another state.
 */
export function refuseStale(seen: string | undefined, state: unknown): void {
  if (seen !== undefined && seen !== versionOf(state))
    throw new Rejected('request/changed-meanwhile', 'stale', 'Somebody else has changed this meanwhile.');
}
