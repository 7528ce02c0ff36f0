import type { ProcessEnv } from '@caravan/service-kit/env';
import { Log } from '@caravan/service-kit/log';
import { closeRedis, createSubscriber, Redis } from '@caravan/service-kit/redis';
import { ServiceCredential } from '@caravan/service-kit/service-credential';
import { type DynamicModule, Inject, Module, type OnApplicationShutdown, type Type } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { AuthGuard } from './auth.guard.ts';
import { type KeySource, RemoteKeys } from './jwks.ts';
import { AccessTokenStrategy } from './passport.ts';
import { PublishedRefusals, RefusalLog, RefusedCalls } from './refused-calls.ts';
import { RedisSessionBoard } from './session-board.ts';
import { remoteSessions, SessionLiveness, type SessionTruth } from './session-liveness.ts';
import { TokenVerifier } from './token-verifier.ts';

export type AuthSettings = Pick<
  ProcessEnv,
  'JWT_ISSUER' | 'JWT_AUDIENCE' | 'JWKS_URL' | 'IDENTITY_URL' | 'REDIS_URL' | 'SERVICE_CREDENTIAL'
>;

/** Identity's own keys, sessions and audit log, exported by global modules: it need not ask or tell itself from outside. */
export type LocalAuth = {
  readonly keys: Type<KeySource>;
  readonly sessions: Type<SessionTruth>;
  readonly refusals: Type<RefusalLog>;
};

const Subscriber = Symbol('Subscriber');

/** Signs every HTTP route of a service in (`AuthGuard`) and gives it the verifier and the sessions' states. */
@Module({})
export class AuthModule implements OnApplicationShutdown {
  constructor(@Inject(Subscriber) private readonly subscriber: Redis) {}

  static forRoot(env: AuthSettings, local?: LocalAuth): DynamicModule {
    const remote = remoteSessions(env.IDENTITY_URL, new ServiceCredential(env.SERVICE_CREDENTIAL));
    const rules = { issuer: env.JWT_ISSUER, audience: env.JWT_AUDIENCE };
    return {
      module: AuthModule,
      global: true,
      providers: [
        {
          provide: Subscriber,
          inject: [Log],
          useFactory: (log: Log) => createSubscriber({ url: env.REDIS_URL, name: 'ended-sessions', log }),
        },
        {
          provide: RedisSessionBoard,
          inject: [Redis, Subscriber],
          useFactory: (redis: Redis, subscriber: Redis) => new RedisSessionBoard(redis, subscriber),
        },
        {
          provide: TokenVerifier,
          inject: local ? [local.keys] : [],
          useFactory: (keys?: KeySource) => new TokenVerifier(rules, keys ?? new RemoteKeys(env.JWKS_URL)),
        },
        {
          provide: SessionLiveness,
          inject: [RedisSessionBoard, Log, ...(local ? [local.sessions] : [])],
          useFactory: (board: RedisSessionBoard, log: Log, sessions?: SessionTruth) =>
            listening(new SessionLiveness(board, sessions ?? remote), log),
        },
        local
          ? { provide: RefusalLog, useExisting: local.refusals }
          : { provide: RefusalLog, useClass: PublishedRefusals },
        RefusedCalls,
        AccessTokenStrategy,
        { provide: APP_GUARD, useClass: AuthGuard },
      ],
      exports: [TokenVerifier, SessionLiveness, RedisSessionBoard],
    };
  }

  onApplicationShutdown(): Promise<void> {
    return closeRedis(this.subscriber);
  }
}

function listening(liveness: SessionLiveness, log: Log): SessionLiveness {
  // Redis may come later; until then nothing is kept in memory.
  liveness.listen().catch((error: unknown) => log.error({ err: error }, 'ended sessions are not heard of'));
  return liveness;
}
