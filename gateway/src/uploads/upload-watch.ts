import type { Rejected } from '@caravan/kernel/rejected';
import type { Turn } from './upload-turns.ts';

/** Without a byte from the one side or the other. */
export const idleMilliseconds = 20_000;
/** As long as an address is good: 10 MiB at 140 kbit/s. */
export const uploadMilliseconds = 600_000;

type Reasons = { readonly tooSlow: () => Rejected; readonly unavailable: () => Rejected };

/** Gives up an upload that stands still, and says which side does. */
export class UploadWatch {
  isReading = false;
  isOver = false;
  turn: Turn | undefined;
  private readonly giving = new AbortController();
  private whole: NodeJS.Timeout | undefined;
  private idle: NodeJS.Timeout | undefined;

  constructor(private readonly reasons: Reasons) {}

  /** Called once the upload has a connection to the storage: waiting for one is not the sender's fault. */
  start(): void {
    this.whole = setTimeout(() => this.giving.abort(this.reasons.tooSlow()), uploadMilliseconds);
  }

  get signal(): AbortSignal {
    return this.giving.signal;
  }

  recordProgress(): void {
    if (this.idle) this.idle.refresh();
    else this.idle = setTimeout(() => this.giveUp(), idleMilliseconds);
  }

  end(): void {
    clearTimeout(this.whole);
    clearTimeout(this.idle);
    this.isOver = true;
    this.turn?.end();
  }

  private giveUp(): void {
    this.giving.abort(this.isReading ? this.reasons.tooSlow() : this.reasons.unavailable());
  }
}
