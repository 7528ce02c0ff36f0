import { outsideRequests } from '@caravan/event-store/postgres/reading';
import { setTimeout as pause } from 'node:timers/promises';
import type { BackgroundTask, BackgroundWork } from '@caravan/service-kit/telemetry/background-work';

type KeyedQueueOptions = {
  readonly background: BackgroundWork;
  /** In the record of background work. */
  readonly name: string;
  /** True: it has left some, so another run is due. */
  readonly run: (key: string) => Promise<boolean>;
  readonly onFailure: (error: unknown, key: string) => void;
  readonly pauseMilliseconds?: number;
};

const lateAfterSeconds = 120;

/** One run at a time for each key; enqueued during a run, another one follows. */
export class KeyedQueue {
  private readonly running = new Map<string, { isQueuedAgain: boolean }>();
  private readonly ends = new Set<Promise<void>>();
  private hasEnded = false;
  private readonly options: KeyedQueueOptions;
  private readonly task: BackgroundTask;

  constructor(options: KeyedQueueOptions) {
    this.options = options;
    this.task = options.background.register({
      kind: 'queue',
      name: options.name,
      lateAfterSeconds,
      hasWork: () => this.running.size > 0,
    });
  }

  enqueue(key: string): void {
    if (this.hasEnded) return;
    const current = this.running.get(key);
    if (current) current.isQueuedAgain = true;
    else {
      const end = outsideRequests(() => this.runAll(key)).finally(() => this.ends.delete(end));
      this.ends.add(end);
    }
  }

  async end(): Promise<void> {
    this.hasEnded = true;
    await Promise.all(this.ends);
  }

  private async runAll(key: string): Promise<void> {
    const { run, onFailure, pauseMilliseconds = 0 } = this.options;
    const current = { isQueuedAgain: true };
    this.running.set(key, current);
    try {
      for (let isFirst = true; current.isQueuedAgain && !this.hasEnded; isFirst = false) {
        if (!isFirst && pauseMilliseconds > 0) await pause(pauseMilliseconds, undefined, { ref: false });
        current.isQueuedAgain = false;
        if (await run(key)) current.isQueuedAgain = true;
        this.task.recordSuccess();
      }
    } catch (error) {
      this.task.recordFailure(error);
      onFailure(error, key);
    } finally {
      // In the same step as the last look at the flag, so that nobody joins a run that has ended.
      this.running.delete(key);
    }
  }
}
