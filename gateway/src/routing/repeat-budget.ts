/** How many repeats may follow each other without an answer between them. */
const mostSaved = 20;
/** Each answered request earns a tenth of a repeat, so a slow service gets at most 10 % more requests. */
const share = 0.1;

/** Bounds how many silent requests are given up and sent again on another connection. */
export class RepeatBudget {
  private saved = mostSaved;

  recordAnswer(): void {
    this.saved = Math.min(mostSaved, this.saved + share);
  }

  take(): boolean {
    if (this.saved < 1) return false;
    this.saved -= 1;
    return true;
  }
}
