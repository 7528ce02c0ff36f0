/** A flag that one loop waits for and anybody may raise. Raised while nobody waits, it ends the next wait at once. */
export class Signal {
  private isRaised = false;
  private end: (() => void) | undefined;

  isUp(): boolean {
    return this.isRaised;
  }

  give(): void {
    this.isRaised = true;
    this.end?.();
  }

  /** Lowers the flag: what was signalled so far is about to be looked at. */
  take(): void {
    this.isRaised = false;
  }

  /** Waits until the flag is up or the time is over; answers whether it was up. */
  async wait(milliseconds: number): Promise<boolean> {
    if (!this.isRaised) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, milliseconds);
        this.end = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      this.end = undefined;
    }
    return this.isRaised;
  }
}
