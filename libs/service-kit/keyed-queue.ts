import { outsideRequests } from '@caravan/event-store/reading';
import { setTimeout as pause } from 'node:timers/promises';

type KeyedQueueOptions = {
  /** Processes all that is there for a key; true: it has left some, so another run is due. */
  readonly run: (key: string) => Promise<boolean>;
  /** Hears of a run that threw. What it left is for whoever enqueues next. */
  readonly failed: (error: unknown, key: string) => void;
  /** Between two runs of a key that is enqueued again and again; 0 unless said otherwise. */
  readonly pauseMilliseconds?: number;
};

/** Runs work for each key one run at a time, however often it is enqueued. Enqueued during a run, another one follows. */
export class KeyedQueue {
  private readonly running = new Map<string, { isQueuedAgain: boolean }>();
  private readonly ends = new Set<Promise<void>>();
  private hasEnded = false;
  private readonly options: KeyedQueueOptions;

  constructor(options: KeyedQueueOptions) {
    this.options = options;
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

  /** Begins no further run and waits for those under way. */
  async end(): Promise<void> {
    this.hasEnded = true;
    await Promise.all(this.ends);
  }

  private async runAll(key: string): Promise<void> {
    const { run, failed, pauseMilliseconds = 0 } = this.options;
    const current = { isQueuedAgain: true };
    this.running.set(key, current);
    try {
      for (let isFirst = true; current.isQueuedAgain && !this.hasEnded; isFirst = false) {
        if (!isFirst && pauseMilliseconds > 0) await pause(pauseMilliseconds, undefined, { ref: false });
        current.isQueuedAgain = false;
        // Only ever raised here: what was enqueued meanwhile must not be forgotten.
        if (await run(key)) current.isQueuedAgain = true;
      }
    } catch (error) {
      failed(error, key);
    } finally {
      // In the same step as the last look at the flag, so that nobody joins a run that has ended.
      this.running.delete(key);
    }
  }
}
