import { setTimeout as pause } from 'node:timers/promises';

type PaceParts = {
  readonly perSecond: number;
  /** So many without any wait, after a rest. */
  readonly atOnce?: number;
  readonly now?: () => number;
  readonly wait?: (milliseconds: number) => Promise<unknown>;
};

const asleep = (milliseconds: number) => pause(milliseconds, undefined, { ref: false });

/**
 * Spreads out what is done for thousands of members because of one fact: requests come in between. Evenly, for all who
 * take turns of the same pace; what a rest has left unused is not made up for beyond `atOnce`.
 */
export class Pace {
  private readonly each: number;
  private readonly lead: number;
  private readonly now: () => number;
  private readonly wait: (milliseconds: number) => Promise<unknown>;
  private next = -Infinity;

  constructor({ perSecond, atOnce = 1, now = () => performance.now(), wait = asleep }: PaceParts) {
    this.each = 1_000 / perSecond;
    this.lead = (atOnce - 1) * this.each;
    this.now = now;
    this.wait = wait;
  }

  /** Resolves when it is time for so many more. */
  async turn(count = 1): Promise<void> {
    const now = this.now();
    const from = Math.max(this.next, now);
    this.next = from + count * this.each;
    const rest = from - this.lead - now;
    if (rest > 0) await this.wait(rest);
  }
}
