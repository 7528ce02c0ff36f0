import { outsideRequests } from '@caravan/event-store/postgres/reading';
import type { BackgroundTask, BackgroundWork } from '@caravan/service-kit/telemetry/background-work';

type WorkQueueOptions<Item> = {
  readonly background: BackgroundWork;
  /** In the record of background work. */
  readonly name: string;
  readonly atATime: number;
  readonly work: (item: Item) => Promise<void>;
  readonly onFailure: (error: unknown, item: Item) => void;
};

const lateAfterSeconds = 120;

/** Each name once however many ask before it is done, first come first served. */
export class WorkQueue<Item> {
  private readonly options: WorkQueueOptions<Item>;
  private readonly waiting = new Map<string, Item>();
  private readonly running = new Map<string, Promise<void>>();
  private readonly task: BackgroundTask;
  private hasEnded = false;

  constructor(options: WorkQueueOptions<Item>) {
    this.options = options;
    this.task = options.background.register({
      kind: 'queue',
      name: options.name,
      lateAfterSeconds,
      hasWork: () => this.running.size > 0,
    });
  }

  ask(name: string, item: Item): void {
    if (this.hasEnded || this.running.has(name) || this.waiting.has(name)) return;
    this.waiting.set(name, item);
    this.begin();
  }

  async end(): Promise<void> {
    this.hasEnded = true;
    this.waiting.clear();
    await Promise.all(this.running.values());
  }

  private begin(): void {
    for (const [name, item] of this.waiting) {
      if (this.running.size >= this.options.atATime) return;
      this.waiting.delete(name);
      this.running.set(
        name,
        outsideRequests(() => this.run(name, item)),
      );
    }
  }

  private async run(name: string, item: Item): Promise<void> {
    try {
      await this.options.work(item);
      this.task.recordSuccess();
    } catch (error) {
      this.task.recordFailure(error);
      this.options.onFailure(error, item);
    } finally {
      this.running.delete(name);
      this.begin();
    }
  }
}
