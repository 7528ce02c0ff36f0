import { Env } from '@caravan/service-kit/env';
import { Global, Module } from '@nestjs/common';
import { AccessTokens } from '../ports.ts';
import type { IdentityEnv } from '../env.ts';
import { KeyRing, KeySchedule } from './key-ring.client.ts';
import { SigningKeysController } from './signing-keys.controller.ts';

const minuteSeconds = 60;
const daySeconds = 86_400;
// A verifier keeps what it fetched for 10 minutes: twice that, and some.
const publishedAheadSeconds = 30 * minuteSeconds;
const checkSeconds = 60;
// Another process may sign with the old key until it looks again, and clocks differ.
const delaySeconds = checkSeconds + 4 * minuteSeconds;

@Global()
@Module({
  controllers: [SigningKeysController],
  providers: [
    {
      provide: KeySchedule,
      inject: [Env],
      useFactory: (env: IdentityEnv): KeySchedule => ({
        activeSeconds: env.SIGNING_KEY_DAYS * daySeconds,
        publishedAheadSeconds,
        verifyOnlySeconds: env.ACCESS_TOKEN_MINUTES * minuteSeconds + delaySeconds,
        checkSeconds,
      }),
    },
    KeyRing,
    { provide: AccessTokens, useExisting: KeyRing },
  ],
  exports: [KeyRing, AccessTokens],
})
export class SigningKeysModule {}
