/** An event that one loop waits for and anybody may set. Set while nobody waits, it ends the next wait at once. */
export class AsyncEvent {
  private flag = false;
  private end: (() => void) | undefined;

  isSet(): boolean {
    return this.flag;
  }

  set(): void {
    this.flag = true;
    this.end?.();
  }

  /** Clears it: what it was set for so far is about to be looked at. */
  reset(): void {
    this.flag = false;
  }

  /** Waits until it is set or the time is over; answers whether it was set. */
  async wait(milliseconds: number): Promise<boolean> {
    if (!this.flag) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, milliseconds);
        this.end = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      this.end = undefined;
    }
    return this.flag;
  }
}
