import type { BackgroundWork } from '@caravan/service-kit/telemetry/background-work';
import { DemoFilling } from '@caravan/service-kit/storage/demo-filling';
import type { Redis } from '@caravan/service-kit/storage/redis';
import { Repeating } from '@caravan/service-kit/process/repeating';

const lookMilliseconds = 500;

/**
 * Whether the demo is being filled. It begins before the gateway does or never, so an instance without a demo asks Redis
 * once, and one with a demo until it is full.
 */
export class DemoNotice {
  private isFilling = false;
  private readonly filling: DemoFilling;
  private readonly looking: Repeating;

  constructor(redis: Redis, background: BackgroundWork) {
    this.filling = new DemoFilling(redis);
    this.looking = new Repeating({
      background,
      name: 'gateway.demo',
      everyMilliseconds: lookMilliseconds,
      work: () => this.look(),
    });
  }

  /** In the page's answer, where scripts can read it without asking for anything: `web/src/lib/demo-filling.ts`. */
  get headers(): Record<string, string> {
    return this.isFilling ? { 'server-timing': 'demo-filling' } : {};
  }

  start(): void {
    this.looking.start();
    this.looking.run();
  }

  stop(): Promise<void> {
    return this.looking.stop();
  }

  private async look(): Promise<void> {
    this.isFilling = await this.filling.isUnderWay();
    if (!this.isFilling) void this.looking.stop();
  }
}
