import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { Counter, Gauge } from 'prom-client';
import { LRUCache } from 'lru-cache';
import { type BackgroundTask, BackgroundWork } from '../telemetry/background-work.ts';
import { Log } from '../telemetry/log.ts';
import { Metrics } from '../telemetry/metrics.ts';
import { isAway } from '@caravan/kernel/problem';

const firstRestMilliseconds = 1_000;
const longestRestMilliseconds = 5 * 60_000;
const longestLookRestMilliseconds = 10_000;
const mostResting = 10_000;
const wholeLook = '*';
const lateAfterSeconds = 300;

type Rest = { readonly failures: number; readonly until: number };
type SweepParts = {
  readonly name: string;
  readonly log: Log;
  readonly failures: Counter<'sweep'>;
  readonly background: BackgroundWork;
  readonly now?: () => number;
  /** True while the process ends. What fails then was interrupted, and the next process does it. */
  readonly isEnding?: () => boolean;
};

/**
 * Looks for rows again and again. A failing row stops no other; it is left alone for 1 s, doubling up to 5 min. In the
 * record of background work it is late when it has been at work, or could not look, for five minutes without a success.
 */
export class Sweep {
  readonly log: Log;
  private readonly task: BackgroundTask;
  private underWay = 0;
  private hasFailed = false;
  private readonly rests = new LRUCache<string, Rest>({ max: mostResting });
  private readonly parts: SweepParts;
  private readonly now: () => number;

  constructor(parts: SweepParts) {
    this.parts = parts;
    this.log = parts.log.child({ sweep: parts.name });
    this.now = parts.now ?? Date.now;
    this.task = parts.background.register({
      kind: 'sweep',
      name: `${parts.name} sweep`,
      lateAfterSeconds,
      hasWork: () => this.underWay > 0 || this.hasFailed,
    });
  }

  resting(): string[] {
    return [...this.rests].filter(([key, { until }]) => key !== wholeLook && until > this.now()).map(([key]) => key);
  }

  get size(): number {
    return this.rests.size;
  }

  /** Unless the last look failed a moment ago. Never throws. */
  async look(work: () => Promise<unknown>): Promise<void> {
    if (this.isResting(wholeLook)) return;
    try {
      await this.observe(work);
      this.hasFailed = false;
      this.rests.delete(wholeLook);
    } catch (error) {
      if (this.isInterrupted(error)) return;
      this.hasFailed = true;
      this.log.warn(this.note(wholeLook, error, longestLookRestMilliseconds), 'a sweep could not do its work');
    }
  }

  /** Throws only when what all rows need is away. */
  async each<Row>(
    rows: readonly Row[],
    keyOf: (row: Row) => string,
    work: (row: Row) => Promise<unknown>,
  ): Promise<void> {
    for (const row of rows) {
      if (this.parts.isEnding?.()) return;
      await this.attempt(keyOf(row), () => work(row));
    }
  }

  async attempt(key: string, work: () => Promise<unknown>): Promise<void> {
    if (this.isResting(key)) return;
    try {
      await this.observe(work);
      this.rests.delete(key);
    } catch (error) {
      if (this.isInterrupted(error)) return;
      if (isAway(error)) throw error;
      const facts = { ...this.note(key, error, longestRestMilliseconds), key };
      this.log.warn(facts, 'a row of a sweep failed; the others go on');
    }
  }

  private async observe(work: () => Promise<unknown>): Promise<void> {
    this.underWay += 1;
    try {
      await work();
      this.task.recordSuccess();
    } catch (error) {
      this.task.recordFailure(error);
      throw error;
    } finally {
      this.underWay -= 1;
    }
  }

  private isInterrupted(error: unknown): boolean {
    const isEnding = this.parts.isEnding?.() === true;
    if (isEnding) this.log.debug({ err: error }, 'a sweep was interrupted by the end of its process');
    return isEnding;
  }

  private isResting(key: string): boolean {
    return (this.rests.get(key)?.until ?? 0) > this.now();
  }

  private note(key: string, error: unknown, longestMilliseconds: number) {
    const failures = (this.rests.get(key)?.failures ?? 0) + 1;
    const rest = Math.min(firstRestMilliseconds * 2 ** (failures - 1), longestMilliseconds);
    this.rests.set(key, { failures, until: this.now() + rest });
    this.parts.failures.inc({ sweep: this.parts.name });
    return { err: error, failures, againInSeconds: rest / 1_000 };
  }
}

/** Creates sweeps. Also offers the log and the record that other background work needs. */
@Injectable()
export class Sweeps implements OnModuleDestroy {
  private readonly failures: Counter<'sweep'>;
  private readonly made = new Map<string, Sweep>();
  private isEnding = false;

  constructor(
    @Inject(Log) readonly log: Log,
    @Inject(Metrics) metrics: Metrics,
    @Inject(BackgroundWork) readonly background: BackgroundWork,
  ) {
    this.failures = metrics.counter('caravan_sweep_failures_total', 'Rows of sweeps whose work threw.', ['sweep']);
    metrics.gauge({
      name: 'caravan_sweep_resting_rows',
      help: 'Rows of sweeps that have failed and are left alone for a while.',
      labels: ['sweep'],
      collect: (gauge: Gauge<'sweep'>) => {
        for (const [sweep, { size }] of this.made) gauge.set({ sweep }, size);
      },
    });
  }

  of(name: string): Sweep {
    const known = this.made.get(name);
    if (known) return known;
    const { log, failures, background } = this;
    const sweep = new Sweep({ name, log, failures, background, isEnding: () => this.isEnding });
    this.made.set(name, sweep);
    return sweep;
  }

  onModuleDestroy(): void {
    this.isEnding = true;
  }
}
