/** Work that is done again and again, never twice at the same time: what takes longer than the pause puts the next one off. */
export class Repeating {
  private readonly everyMilliseconds: number;
  private readonly work: () => Promise<void>;
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;

  /** @param work must not throw */
  constructor(everyMilliseconds: number, work: () => Promise<void>) {
    this.everyMilliseconds = everyMilliseconds;
    this.work = work;
  }

  start(): void {
    this.timer ??= setInterval(() => {
      this.running ??= this.work().finally(() => (this.running = undefined));
    }, this.everyMilliseconds);
  }

  /** Ends it, and waits for what runs. */
  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.running;
  }
}
