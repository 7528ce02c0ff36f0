import type { ServiceEnv } from '@caravan/service-kit/process/env';
import { currentContext, nameCaller } from '@caravan/service-kit/telemetry/request-context';
import { ServiceKitModule } from '@caravan/service-kit/http/service-kit.module';
import { type CanActivate, Controller, type DynamicModule, Get, Inject, Injectable, Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { Rejected } from '@caravan/kernel/rejected';
import { type BatchContext, type Consumed, Consumes } from '../consumer/consumer.ts';
import { MessagingModule, type MessagingSettings } from '../messaging.module.ts';
import { counted } from './counting.ts';

type Counted = Consumed<typeof counted>;

/** What the consumers got, for the suite to look at, and what they are to do. */
export class Heard {
  readonly numbers: number[] = [];
  readonly traceIds: (string | undefined)[] = [];
  /** Ends when the consumer may go on. */
  mayApply: Promise<void> = Promise.resolve();
}

@Controller()
export class HearWhenCounted {
  constructor(@Inject(Heard) private readonly heard: Heard) {}

  @Consumes({ group: 'social.hear', from: 'activity', contract: counted })
  async hear(event: Counted, batch: BatchContext): Promise<void> {
    await this.heard.mayApply;
    if (event.data.n === 13) throw new Rejected('hearing/unlucky', 'invalid', '13 is not heard');
    await batch.tx.query('select 1');
    this.heard.numbers.push(event.data.n);
    this.heard.traceIds.push(currentContext()?.trace.traceId);
  }

  @Get('api/heard')
  read(): { numbers: readonly number[] } {
    return { numbers: this.heard.numbers };
  }
}

@Controller()
export class HearOnceMore {
  @Consumes({ group: 'social.hear', from: 'activity', contract: counted })
  hear(_event: Counted): void {}
}

/** Stands in for the guard of the product: everybody is Maya. */
@Injectable()
class EverybodyIsMaya implements CanActivate {
  canActivate(): boolean {
    nameCaller({ userId: 'maya', orgId: 'acme' });
    return true;
  }
}

@Module({})
export class TinyConsumersModule {
  static forRoot(
    env: ServiceEnv,
    controllers = [HearWhenCounted as new (...args: never[]) => object],
    settings: MessagingSettings = { kafka: { maxWaitMs: 100 } },
  ): DynamicModule {
    return {
      module: TinyConsumersModule,
      imports: [ServiceKitModule.forRoot(env), MessagingModule.forRoot(env, settings)],
      controllers,
      providers: [Heard, { provide: APP_GUARD, useClass: EverybodyIsMaya }],
    };
  }
}
