const timeoutMilliseconds = 60_000;
const mostRemembered = 10_000;

/**
 * How long news from another topic is waited for, which holds up the partition. After a minute, longer than
 * a consumer group needs to find itself again, only whoever lacks the news is put aside.
 */
export class DependencyTimeout {
  private readonly missingSince = new Map<string, number>();

  isWithin(missing: string, nowMilliseconds: number): boolean {
    const since = this.missingSince.get(missing);
    if (since !== undefined) return nowMilliseconds - since < timeoutMilliseconds;
    if (this.missingSince.size >= mostRemembered) this.missingSince.clear();
    this.missingSince.set(missing, nowMilliseconds);
    return true;
  }

  /** Should it be missed again, waiting starts anew. */
  forget(missing: string): void {
    this.missingSince.delete(missing);
  }
}
