import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Log } from '../telemetry/log.ts';
import { problemOf } from '@caravan/kernel/problem';
import { hasClientLeft } from './unreadable-requests.ts';
import { securityOfRefusal, logSecurityOnce } from '../telemetry/security-log.ts';

/** The one place where an error becomes an answer: RFC 9457 (D4). */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  constructor(private readonly log: Log) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    writeProblem(error, http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>(), this.log);
  }
}

export function writeProblem(error: unknown, request: FastifyRequest, reply: FastifyReply, log: Log): void {
  const path = request.url.split('?', 1)[0] ?? '/';
  const { status, problem, headers, isFault } = problemOf(error, {
    instance: path,
    ...(request.work && { traceId: request.work.trace.traceId }),
  });
  if (hasClientLeft(request.raw)) log.debug({ method: request.method, path }, 'client left before its request arrived');
  else if (isFault)
    log.error({ err: error, traceId: problem.traceId, method: request.method, path, status }, 'request failed');
  else
    log.debug(
      { code: problem.code, traceId: problem.traceId, method: request.method, path, status },
      'request refused',
    );
  const security = securityOfRefusal(problem);
  if (security) {
    const { code } = problem;
    const userId = request.work?.caller?.userId;
    logSecurityOnce(log, security, request.ip, { ip: request.ip, code, path, userId });
  }
  if (reply.sent) return;
  void reply.code(status).headers(headers).type('application/problem+json').send(problem);
}
