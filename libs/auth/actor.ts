import { personKey } from '@caravan/contracts/events/fact-key';
import { currentTraceparent } from '@caravan/service-kit/telemetry/tracing';
import type { Caller, Claims } from './claims.ts';

export type ActingRequest = { instant?: Date; caller?: Caller };

/** The one place that reads 'now', once: every rule that serves a request sees the same clock. */
export function instantOf(request: ActingRequest): Date {
  return (request.instant ??= new Date());
}

export function callerOf(claims: Claims, request: ActingRequest): Caller {
  const at = instantOf(request);
  const traceparent = currentTraceparent();
  return {
    userId: claims.sub,
    orgId: claims.org,
    sessionId: claims.sid,
    role: claims.role,
    at,
    meta: {
      orgId: claims.org,
      actorId: claims.sub,
      at,
      key: personKey(claims.sub),
      ...(traceparent !== undefined && { traceparent }),
    },
  };
}
