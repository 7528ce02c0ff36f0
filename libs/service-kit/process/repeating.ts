import type { BackgroundTask, BackgroundWork } from '../telemetry/background-work.ts';

type RepeatingOptions = {
  readonly background: BackgroundWork;
  /** In the record of background work. */
  readonly name: string;
  readonly everyMilliseconds: number;
  readonly work: () => Promise<unknown>;
};

const lateAfterRuns = 10;
const leastLateAfterSeconds = 60;

/** Never twice at the same time: what takes longer than the pause puts the next one off. A failed run is recorded. */
export class Repeating {
  private readonly options: RepeatingOptions;
  private readonly task: BackgroundTask;
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;

  constructor(options: RepeatingOptions) {
    this.options = options;
    this.task = options.background.register({
      kind: 'timer',
      name: options.name,
      lateAfterSeconds: Math.max((lateAfterRuns * options.everyMilliseconds) / 1_000, leastLateAfterSeconds),
      hasWork: () => this.timer !== undefined,
    });
  }

  start(): void {
    this.timer ??= setInterval(() => this.run(), this.options.everyMilliseconds).unref();
  }

  /** Now, unless it runs already. */
  run(): void {
    this.running ??= this.runOnce().finally(() => (this.running = undefined));
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    this.timer = undefined;
    await this.running;
  }

  private async runOnce(): Promise<void> {
    try {
      await this.options.work();
      this.task.recordSuccess();
    } catch (error) {
      this.task.recordFailure(error);
    }
  }
}
