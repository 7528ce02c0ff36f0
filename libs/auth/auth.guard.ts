import { Rejected } from '@caravan/kernel/rejected';
import { nameCaller } from '@caravan/service-kit/telemetry/request-context';
import { type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AuthGuard as PassportGuard } from '@nestjs/passport';
import { type ActingRequest, callerOf } from './actor.ts';
import { routeAccess } from './access.decorator.ts';
import { type Access, assertAccess, notAnAdminCode } from './access.ts';
import { accessTokenStrategy } from './passport.ts';
import { RefusedCalls } from './refused-calls.ts';
import { RefusedTokens } from './refused-tokens.ts';
import { SessionLiveness } from './session-liveness.ts';
import { bearerOf, RefusedToken, type TokenFault, TokenVerifier } from './token-verifier.ts';

type GuardedRequest = ActingRequest & {
  headers: { authorization?: string };
  user?: unknown;
  ip: string;
  method: string;
  routeOptions: { url?: string };
};

/** Members only, unless a route says otherwise by one of `access.decorator.ts`. Throws `Rejected`. */
@Injectable()
export class AuthGuard extends PassportGuard(accessTokenStrategy) {
  private readonly reflector = new Reflector();

  constructor(
    @Inject(TokenVerifier) private readonly verifier: TokenVerifier,
    @Inject(SessionLiveness) private readonly sessions: SessionLiveness,
    @Inject(RefusedCalls) private readonly refusedCalls: Pick<RefusedCalls, 'note'>,
    @Inject(RefusedTokens) private readonly refusedTokens: Pick<RefusedTokens, 'note'>,
  ) {
    super();
  }

  override async canActivate(context: ExecutionContext): Promise<boolean> {
    // Messages from Kafka pass here too; they are facts, nobody's request.
    if (context.getType() !== 'http') return true;
    const access = this.accessOf(context);
    if (access === 'public') return true;
    const request = context.switchToHttp().getRequest<GuardedRequest>();
    try {
      await this.letIn(request, access, context);
    } catch (error) {
      this.refusedTokens.note(error, request.ip);
      throw error;
    }
    return true;
  }

  override handleRequest<User>(error: unknown, user: User | false, reason: unknown): User {
    if (user) return user;
    for (const cause of [error, reason]) if (cause instanceof Rejected) throw cause;
    throw new RefusedToken(faultOf(reason));
  }

  private async letIn(
    request: GuardedRequest,
    access: Exclude<Access, 'public'>,
    context: ExecutionContext,
  ): Promise<void> {
    const token = bearerOf(request.headers.authorization);
    if (token === undefined) throw new RefusedToken('missing');
    const claims = this.verifier.cachedClaims(token) ?? (await this.verify(token, request, context));
    const caller = callerOf(claims, request);
    nameCaller(caller);
    try {
      await assertAccess(claims, access, this.sessions);
    } catch (error) {
      const isMissingRole = error instanceof Rejected && error.code === notAnAdminCode;
      if (isMissingRole) await this.refusedCalls.note(caller, callOf(request));
      throw error;
    }
    request.caller = caller;
  }

  private async verify(token: string, request: GuardedRequest, context: ExecutionContext) {
    await super.canActivate(context);
    return this.verifier.remember(token, request.user);
  }

  private accessOf(context: ExecutionContext): Access {
    const marks = [context.getHandler(), context.getClass()];
    return this.reflector.getAllAndOverride<Access | undefined>(routeAccess, marks) ?? 'member';
  }
}

function callOf({ method, routeOptions }: GuardedRequest): string {
  return `${method} ${(routeOptions.url ?? '').replaceAll(/:(\w+)/g, '{$1}')}`;
}

/** @param reason of passport-jwt, whose errors are those of jsonwebtoken */
function faultOf(reason: unknown): TokenFault {
  const { name = '', message = '' } = reason instanceof Error ? reason : {};
  if (name === 'TokenExpiredError') return 'expired';
  if (message === 'invalid signature') return 'bad-signature';
  return /^jwt (audience|issuer|not active)/.test(message) ? 'wrong-claims' : 'malformed';
}
