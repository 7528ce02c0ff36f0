import { BackgroundWork } from '@caravan/service-kit/telemetry/background-work';
import { Dependencies } from '@caravan/service-kit/process/dependency';
import type { ProcessEnv } from '@caravan/service-kit/process/env';
import { Log } from '@caravan/service-kit/telemetry/log';
import { Metrics } from '@caravan/service-kit/telemetry/metrics';
import { closeRedis, createSubscriber, Redis } from '@caravan/service-kit/storage/redis';
import { ServiceCredential } from '@caravan/service-kit/http/service-credential';
import { type DynamicModule, Inject, Module, type OnApplicationShutdown, type Type } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { AuthGuard } from './auth.guard.ts';
import { keysDependency, type KeySource, RemoteKeys } from './jwks.ts';
import { AccessTokenStrategy } from './passport.ts';
import { PublishedRefusals, RefusalLog, RefusedCalls } from './refused-calls.ts';
import { RefusedTokens } from './refused-tokens.ts';
import { RedisSessionCache } from './session-cache.ts';
import { remoteSessions, SessionLiveness, sessionsDependency, type SessionSource } from './session-liveness.ts';
import { TokenVerifier } from './token-verifier.ts';

export type AuthSettings = Pick<
  ProcessEnv,
  'JWT_ISSUER' | 'JWT_AUDIENCE' | 'JWKS_URL' | 'IDENTITY_URL' | 'REDIS_URL' | 'SERVICE_CREDENTIAL'
>;

export type LocalAuth = {
  readonly keys: Type<KeySource>;
  readonly sessions: Type<SessionSource>;
  readonly refusals: Type<RefusalLog>;
};

const Subscriber = Symbol('Subscriber');

@Module({})
export class AuthModule implements OnApplicationShutdown {
  constructor(@Inject(Subscriber) private readonly subscriber: Redis) {}

  static forRoot(env: AuthSettings, local?: LocalAuth): DynamicModule {
    const { remoteKeys, remoteSource } = remoteOf(env);
    const rules = { issuer: env.JWT_ISSUER, audience: env.JWT_AUDIENCE };
    return {
      module: AuthModule,
      global: true,
      providers: [
        {
          provide: Subscriber,
          inject: [Log, BackgroundWork],
          useFactory: (log: Log, background: BackgroundWork) =>
            createSubscriber({ url: env.REDIS_URL, name: 'ended-sessions', log, background }),
        },
        {
          provide: RedisSessionCache,
          inject: [Redis, Subscriber],
          useFactory: (redis: Redis, subscriber: Redis) => new RedisSessionCache(redis, subscriber),
        },
        {
          provide: TokenVerifier,
          inject: [Dependencies, ...(local ? [local.keys] : [])],
          useFactory: (dependencies: Dependencies, keys?: KeySource) =>
            new TokenVerifier(rules, keys ?? remoteKeys(dependencies)),
        },
        {
          provide: SessionLiveness,
          inject: [RedisSessionCache, Log, Dependencies, ...(local ? [local.sessions] : [])],
          useFactory: (cache: RedisSessionCache, log: Log, dependencies: Dependencies, sessions?: SessionSource) =>
            listening(new SessionLiveness(cache, sessions ?? remoteSource(dependencies)), log),
        },
        local
          ? { provide: RefusalLog, useExisting: local.refusals }
          : { provide: RefusalLog, useClass: PublishedRefusals },
        RefusedCalls,
        {
          provide: RefusedTokens,
          inject: [Log, Metrics],
          useFactory: (log: Log, metrics: Metrics) => new RefusedTokens(log, metrics),
        },
        AccessTokenStrategy,
        { provide: APP_GUARD, useClass: AuthGuard },
      ],
      exports: [TokenVerifier, SessionLiveness, RedisSessionCache],
    };
  }

  onApplicationShutdown(): Promise<void> {
    return closeRedis(this.subscriber);
  }
}

function remoteOf({ IDENTITY_URL, JWKS_URL, SERVICE_CREDENTIAL }: AuthSettings) {
  const credential = new ServiceCredential(SERVICE_CREDENTIAL);
  return {
    remoteSource: (dependencies: Dependencies) =>
      remoteSessions(IDENTITY_URL, credential, dependencies.of(sessionsDependency)),
    remoteKeys: (dependencies: Dependencies) =>
      new RemoteKeys(JWKS_URL, { dependency: dependencies.of(keysDependency) }),
  };
}

function listening(liveness: SessionLiveness, log: Log): SessionLiveness {
  // Redis may come later; until then nothing is kept in memory.
  liveness.listen().catch((error: unknown) => log.error({ err: error }, 'ended sessions are not heard of'));
  return liveness;
}
