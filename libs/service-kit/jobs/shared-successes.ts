import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { BackgroundWork } from '../telemetry/background-work.ts';
import { Env, type ServiceEnv } from '../process/env.ts';
import { Redis } from '../storage/redis.ts';
import { Repeating } from '../process/repeating.ts';

const everyMilliseconds = 10_000;
/** The hash expires once no process reports any more. */
const keptSeconds = 30 * 24 * 3_600;

/** A job runs in one of several processes: each of them reads here that it succeeded in another. */
@Injectable()
export class SharedSuccesses implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly reported = new Map<string, number>();
  private readonly sharing: Repeating;
  private readonly key: string;

  constructor(
    @Inject(Redis) private readonly redis: Redis,
    @Inject(BackgroundWork) private readonly background: BackgroundWork,
    @Inject(Env) env: ServiceEnv,
  ) {
    this.key = `background:${env.SERVICE_NAME}`;
    this.sharing = new Repeating({
      background,
      name: 'shared-successes',
      everyMilliseconds,
      work: () => this.share(),
    });
  }

  onApplicationBootstrap(): void {
    this.sharing.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.sharing.stop();
  }

  async share(): Promise<void> {
    const others = await this.redis.hgetall(this.key);
    for (const [name, at] of Object.entries(others)) this.background.takeOver(name, Number(at));
    const own = [...this.background.sharedSuccesses()].filter(
      ([name, at]) => at > Math.max(Number(others[name] ?? 0), this.reported.get(name) ?? 0),
    );
    if (own.length === 0) return;
    await this.redis.hset(this.key, Object.fromEntries(own));
    await this.redis.expire(this.key, keptSeconds);
    for (const [name, at] of own) this.reported.set(name, at);
  }
}
