import { Rejected } from '@caravan/event-store/rejected';
import { nameCaller } from '@caravan/service-kit/request-context';
import { type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AuthGuard as PassportGuard } from '@nestjs/passport';
import { type ActingRequest, callerOf } from './actor.ts';
import { adminRoute, guestRoute, publicRoute } from './access.decorator.ts';
import { accessTokenStrategy } from './passport.ts';
import { RefusedCalls } from './refused-calls.ts';
import { SessionLiveness } from './session-liveness.ts';
import { bearerOf, refusedToken, TokenVerifier } from './token-verifier.ts';

type GuardedRequest = ActingRequest & {
  headers: { authorization?: string };
  user?: unknown;
  method: string;
  routeOptions: { url?: string };
};

/** Members only, unless a route says otherwise by one of `access.decorator.ts`. Throws `Rejected`. */
@Injectable()
export class AuthGuard extends PassportGuard(accessTokenStrategy) {
  constructor(
    @Inject(Reflector) private readonly reflector: Reflector,
    @Inject(TokenVerifier) private readonly verifier: TokenVerifier,
    @Inject(SessionLiveness) private readonly sessions: SessionLiveness,
    @Inject(RefusedCalls) private readonly refusedCalls: Pick<RefusedCalls, 'note'>,
  ) {
    super();
  }

  override async canActivate(context: ExecutionContext): Promise<boolean> {
    // Messages from Kafka pass here too; they are facts, nobody's request.
    if (context.getType() !== 'http' || this.isMarked(context, publicRoute)) return true;
    const request = context.switchToHttp().getRequest<GuardedRequest>();
    const token = bearerOf(request.headers.authorization);
    if (token === undefined) throw new Rejected('auth/no-token', 'unauthenticated', 'Please sign in.');
    const claims = this.verifier.known(token) ?? (await this.verify(token, request, context));
    await this.sessions.assertLive(claims.sid);
    request.caller = callerOf(claims, request);
    nameCaller(request.caller);
    if (claims.guest === true && !this.isMarked(context, guestRoute)) throw unconfirmedAddress();
    // A change of role ends every session, so the token of a live one says the role as it is.
    if (this.isMarked(context, adminRoute) && claims.role !== 'admin') {
      await this.refusedCalls.note(request.caller, callOf(request));
      throw new Rejected('auth/not-an-admin', 'forbidden', 'Only admins of your organisation can do this.');
    }
    return true;
  }

  override handleRequest<User>(error: unknown, user: User | false, reason: unknown): User {
    if (user) return user;
    for (const cause of [error, reason]) if (cause instanceof Rejected && cause.kind === 'unavailable') throw cause;
    throw refusedToken();
  }

  private async verify(token: string, request: GuardedRequest, context: ExecutionContext) {
    await super.canActivate(context);
    return this.verifier.remember(token, request.user);
  }

  private isMarked(context: ExecutionContext, mark: symbol): boolean {
    return this.reflector.getAllAndOverride(mark, [context.getHandler(), context.getClass()]) === true;
  }
}

function callOf({ method, routeOptions }: GuardedRequest): string {
  return `${method} ${(routeOptions.url ?? '').replaceAll(/:(\w+)/g, '{$1}')}`;
}

/** No 403: that would mean a missing role and sign the web app out (D4). */
function unconfirmedAddress(): Rejected {
  return new Rejected(
    'email/unconfirmed',
    'conflict',
    'Please confirm your e-mail address first: your invite is for addresses of this organisation only.',
  );
}
