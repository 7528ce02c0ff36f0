import { percentile } from '../harness.ts';

/** `refused`: told when to come back (429 or 503 with Retry-After). Whatever else is not an answer has failed. */
export type Outcome = 'good' | 'refused' | 'failed';

export type Summary = {
  readonly count: number;
  readonly good: number;
  readonly refused: number;
  readonly failed: number;
  /** Milliseconds, of good answers. */
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
};

export function outcomeOf(status: number, retryAfter: string | undefined): Outcome {
  if (status >= 200 && status < 300) return 'good';
  const isTold = (status === 429 || status === 503) && Number(retryAfter) > 0;
  return isTold ? 'refused' : 'failed';
}

/** What was asked, by act, and how it was answered. */
export class Tally {
  private readonly times = new Map<string, number[]>();
  private readonly counts = new Map<string, Record<Outcome, number>>();
  private readonly failures = new Map<string, number>();

  note(act: string, outcome: Outcome, milliseconds: number): void {
    const counts = this.counts.get(act) ?? { good: 0, refused: 0, failed: 0 };
    counts[outcome] += 1;
    this.counts.set(act, counts);
    if (outcome !== 'good') return;
    const times = this.times.get(act) ?? [];
    times.push(milliseconds);
    this.times.set(act, times);
  }

  /** In the words of whoever failed. */
  noteFailure(words: string): void {
    this.failures.set(words, (this.failures.get(words) ?? 0) + 1);
  }

  get acts(): string[] {
    return [...this.counts.keys()];
  }

  /** The commonest first. */
  get failuresByWords(): string[] {
    const sorted = [...this.failures].toSorted(([, one], [, other]) => other - one);
    return sorted.map(([words, count]) => `${count}× ${words}`);
  }

  of(...acts: readonly string[]): Summary {
    const times = acts.flatMap((act) => this.times.get(act) ?? []);
    const sum = (outcome: Outcome) => acts.reduce((total, act) => total + (this.counts.get(act)?.[outcome] ?? 0), 0);
    const good = sum('good');
    const refused = sum('refused');
    const failed = sum('failed');
    const at = (share: number) => percentile(times, share);
    return { count: good + refused + failed, good, refused, failed, p50: at(0.5), p95: at(0.95), p99: at(0.99) };
  }
}
