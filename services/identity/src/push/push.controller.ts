import { CurrentCaller } from '@caravan/auth/caller.decorator';
import type { Caller } from '@caravan/auth/claims';
import { pushSubscriptionRequestSchema } from '@caravan/contracts/http/deliveries';
import type { PushKey, PushState, PushSubscriptionRequest } from '@caravan/contracts/http/deliveries';
import { Env } from '@caravan/service-kit/process/env';
import { Pool } from '@caravan/service-kit/storage/pool';
import { Invalid } from '@caravan/kernel/problem';
import { ValidBody } from '@caravan/service-kit/http/valid.decorator';
import { Controller, Delete, Get, HttpCode, Inject, Post } from '@nestjs/common';
import type { IdentityEnv } from '../env.ts';
import { refusalOf } from './endpoint.ts';
import { PushKeyPair } from './push-keys.service.ts';
import { dropSubscription, keepSubscription } from './subscriptions.store.ts';
import { forgetEndpoint } from './pushes.system.store.ts';

@Controller('api/push')
export class PushController {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(PushKeyPair) private readonly keys: PushKeyPair,
    @Inject(Env) private readonly env: IdentityEnv,
  ) {}

  @Get('key')
  async key(): Promise<PushKey> {
    return { key: (await this.keys.get()).publicKey };
  }

  /** Of the session that asks: whoever signs in at this browser next takes it over. */
  @Post('subscriptions')
  @HttpCode(200)
  async subscribe(
    @ValidBody(pushSubscriptionRequestSchema) request: PushSubscriptionRequest,
    @CurrentCaller() caller: Caller,
  ): Promise<PushState> {
    const message = refusalOf(request.endpoint, this.env.PUSH_TO_PRIVATE_ADDRESSES);
    if (message !== undefined) throw new Invalid([{ path: 'endpoint', message }], 'push/endpoint-refused');
    await forgetEndpoint(this.pool, request.endpoint);
    return { isSubscribed: await keepSubscription(this.pool, caller, request) };
  }

  @Delete('subscriptions')
  async unsubscribe(@CurrentCaller() caller: Caller): Promise<PushState> {
    await dropSubscription(this.pool, caller);
    return { isSubscribed: false };
  }
}
