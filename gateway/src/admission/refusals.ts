import type { Log } from '@caravan/service-kit/telemetry/log';
import { networkOf } from '@caravan/service-kit/http/network';
import { problemOf } from '@caravan/kernel/problem';
import { logSecurityOnce, type SecurityKind, securityOfRefusal } from '@caravan/service-kit/telemetry/security-log';
import { hasClientLeft } from '@caravan/service-kit/http/unreadable-requests';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { NoPlace } from './no-place.ts';
import { settleBody } from './refused-bodies.ts';
import type { RequestBodies } from './request-bodies.ts';
import { NotSigned } from './signed-upload.ts';

type Parts = { readonly log: Log; readonly bodies: RequestBodies };

/** The one place where an error becomes an answer of the gateway. */
export function refuse(
  { log, bodies }: Parts,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const [instance = ''] = request.url.split('?', 1);
  const { status, problem, headers, isFault } = problemOf(error, { instance });
  if (hasClientLeft(request.raw)) request.log.debug({ path: instance }, 'client left before its request arrived');
  else if (isFault) request.log.error(error);
  settleBody(bodies, request, reply);
  const security = securityOf(error) ?? securityOfRefusal(problem);
  const { code } = problem;
  if (security)
    logSecurityOnce(log, security, `${networkOf(request.ip)} ${code}`, { ip: request.ip, code, path: instance });
  return reply.code(status).headers(headers).type('application/problem+json').send(JSON.stringify(problem));
}

function securityOf(error: unknown): SecurityKind | undefined {
  if (error instanceof NoPlace) return 'throttled';
  return error instanceof NotSigned ? 'upload-refused' : undefined;
}
