import type { Metrics } from './metrics.ts';

export type BackgroundKind = 'consumer' | 'job' | 'queue' | 'relay' | 'subscriber' | 'sweep' | 'timer';

export type BackgroundTaskOptions = {
  readonly kind: BackgroundKind;
  /** Unique within the process. */
  readonly name: string;
  /** The task is late when its last success is older than this. */
  readonly lateAfterSeconds: number;
  /** Returns false while nothing waits for the task: it is not late then. */
  readonly hasWork?: () => boolean;
  /** True when any process of the service may run the task: a success of one counts for all. */
  readonly isShared?: boolean;
};

export type LateTask = {
  readonly kind: BackgroundKind;
  readonly task: string;
  /** ISO 8601, or null when the task has never succeeded in this process. */
  readonly lastSuccessAt: string | null;
  readonly lateSeconds: number;
  readonly problem: string;
};

/** One piece of background work. It reports each success; it is late when it stops doing so. */
export class BackgroundTask {
  readonly options: BackgroundTaskOptions;
  private readonly now: () => number;
  private readonly startedAt: number;
  private succeededAt: number | undefined;
  private idleUntil: number;
  private reason: string | undefined;

  constructor(options: BackgroundTaskOptions, now: () => number) {
    this.options = options;
    this.now = now;
    this.startedAt = now();
    this.idleUntil = this.startedAt;
  }

  /** Takes the time of a success that another process reported, in milliseconds since 1970. */
  recordSuccess(at = this.now()): void {
    if (this.succeededAt !== undefined && at < this.succeededAt) return;
    this.succeededAt = at;
    this.reason = undefined;
  }

  /** Names the reason that `/health/ready` and `doctor` show once the task is late. */
  recordFailure(error: unknown): void {
    this.reason = error instanceof Error ? error.message || error.name : String(error);
  }

  get lastSuccessAt(): number | undefined {
    return this.succeededAt;
  }

  late(): LateTask | undefined {
    const { kind, name, lateAfterSeconds, hasWork } = this.options;
    if (hasWork && !hasWork()) {
      this.idleUntil = this.now();
      return undefined;
    }
    const since = Math.max(this.succeededAt ?? this.startedAt, this.idleUntil);
    const lateSeconds = (this.now() - since) / 1_000 - lateAfterSeconds;
    if (lateSeconds <= 0) return undefined;
    return {
      kind,
      task: name,
      lastSuccessAt: this.succeededAt === undefined ? null : new Date(this.succeededAt).toISOString(),
      lateSeconds: Math.round(lateSeconds),
      problem: this.reason ?? 'no success reported',
    };
  }
}

const lookMilliseconds = 5_000;

/** All background work of a process. Metrics, alerts, the readiness body and `doctor` read it. */
export class BackgroundWork {
  private readonly tasks = new Map<string, BackgroundTask>();
  private readonly now: () => number;

  constructor(metrics: Metrics, now: () => number = Date.now) {
    this.now = now;
    // Tasks notice here when work arrives, so that each has its full allowance even if nobody reads the record.
    setInterval(() => this.late(), lookMilliseconds).unref();
    metrics.gauge({
      name: 'caravan_background_last_success_timestamp_seconds',
      help: 'When a piece of background work last succeeded, in seconds since 1970; 0 before its first success.',
      labels: ['kind', 'task'],
      collect: (gauge) => {
        gauge.reset();
        for (const { options, lastSuccessAt } of this.tasks.values())
          gauge.set({ kind: options.kind, task: options.name }, (lastSuccessAt ?? 0) / 1_000);
      },
    });
    metrics.gauge({
      name: 'caravan_background_late',
      help: 'Whether a piece of background work is late: 1 yes, 0 no.',
      labels: ['kind', 'task'],
      collect: (gauge) => {
        gauge.reset();
        for (const task of this.tasks.values())
          gauge.set({ kind: task.options.kind, task: task.options.name }, task.late() ? 1 : 0);
      },
    });
  }

  /** A second task of a name throws. */
  register(options: BackgroundTaskOptions): BackgroundTask {
    if (this.tasks.has(options.name)) throw new Error(`Background task ${options.name} is registered twice`);
    const task = new BackgroundTask(options, this.now);
    this.tasks.set(options.name, task);
    return task;
  }

  /** For work that ends while the process goes on. */
  unregister(name: string): void {
    this.tasks.delete(name);
  }

  late(): LateTask[] {
    return [...this.tasks.values()].flatMap((task) => task.late() ?? []);
  }

  /** Successes of tasks that other processes may run, too, by name and in milliseconds since 1970. */
  sharedSuccesses(): Map<string, number> {
    const shared = [...this.tasks.values()].filter(({ options }) => options.isShared === true);
    return new Map(
      shared.flatMap(({ options, lastSuccessAt }) =>
        lastSuccessAt === undefined ? [] : [[options.name, lastSuccessAt] as const],
      ),
    );
  }

  /** Takes over a success that another process reported. A time in the future, from a clock that is ahead, counts as now. */
  takeOver(name: string, succeededAt: number): void {
    const task = this.tasks.get(name);
    if (task?.options.isShared === true) task.recordSuccess(Math.min(succeededAt, this.now()));
  }
}
