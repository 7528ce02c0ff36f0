/** Never twice at the same time: what takes longer than the pause puts the next one off. `work` must not throw. */
export class Repeating {
  private readonly everyMilliseconds: number;
  private readonly work: () => Promise<void>;
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;

  constructor(everyMilliseconds: number, work: () => Promise<void>) {
    this.everyMilliseconds = everyMilliseconds;
    this.work = work;
  }

  start(): void {
    this.timer ??= setInterval(() => {
      this.running ??= this.work().finally(() => (this.running = undefined));
    }, this.everyMilliseconds);
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.running;
  }
}
