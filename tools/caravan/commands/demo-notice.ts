import { DemoFilling } from '@caravan/service-kit/storage/demo-filling';
import { closeRedis, createPatientRedis, type Redis } from '@caravan/service-kit/storage/redis';

/** Switches on the notice that pages show while the demo is being filled. */
export class DemoNotice {
  #redis: Redis | undefined;

  async show(url: string): Promise<void> {
    this.#redis = createPatientRedis({ url, name: 'launcher' });
    await new DemoFilling(this.#redis).begin();
  }

  async end(): Promise<void> {
    if (this.#redis === undefined) return;
    await new DemoFilling(this.#redis).end();
    await closeRedis(this.#redis);
  }
}
