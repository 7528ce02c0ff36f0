import type { Log } from '../telemetry/log.ts';

const mostKept = 10_000;

/** Keeps jobs in memory until Redis takes them. When the process ends, sweeps find them instead. */
export class KeptJobs {
  private readonly waiting = new Map<string, () => Promise<void>>();
  private readonly log: Log;
  private flushing: Promise<void> | undefined;

  constructor(log: Log) {
    this.log = log;
  }

  get size(): number {
    return this.waiting.size;
  }

  keep(name: string, enqueue: () => Promise<void>): void {
    if (this.waiting.size < mostKept) this.waiting.set(name, enqueue);
    else this.log.warn({ job: name }, 'too many jobs wait for Redis; the next sweep enqueues this one');
  }

  /** Jobs that fail again stay. Never throws. */
  flush(): Promise<void> {
    return (this.flushing ??= this.enqueueAll().finally(() => (this.flushing = undefined)));
  }

  private async enqueueAll(): Promise<void> {
    for (const [name, enqueue] of this.waiting) {
      try {
        await enqueue();
        this.waiting.delete(name);
      } catch (error) {
        this.log.debug({ err: error, job: name }, 'job still waits for Redis');
      }
    }
  }
}
