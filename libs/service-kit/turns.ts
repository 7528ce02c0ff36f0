import { outsideRequests } from '@caravan/event-store/reading';
import { setTimeout as pause } from 'node:timers/promises';

type TurnsOptions = {
  /** Takes in all that is there for a name; true: it has left some, so another turn is due. */
  readonly take: (name: string) => Promise<boolean>;
  /** Hears of a turn that threw. What it left is for whoever asks next. */
  readonly failed: (error: unknown, name: string) => void;
  /** Between two turns of a name that is asked again and again; 0 unless said otherwise. */
  readonly pauseMilliseconds?: number;
};

/** One turn at a time for each name, however many ask. Who asks during a turn has come too late for it: another follows. */
export class Turns {
  private readonly running = new Map<string, { isAskedAgain: boolean }>();
  private readonly ends = new Set<Promise<void>>();
  private hasEnded = false;
  private readonly options: TurnsOptions;

  constructor(options: TurnsOptions) {
    this.options = options;
  }

  ask(name: string): void {
    if (this.hasEnded) return;
    const turn = this.running.get(name);
    if (turn) turn.isAskedAgain = true;
    else {
      const end = outsideRequests(() => this.takeAll(name)).finally(() => this.ends.delete(end));
      this.ends.add(end);
    }
  }

  /** Begins no further turn and waits for those that run. */
  async end(): Promise<void> {
    this.hasEnded = true;
    await Promise.all(this.ends);
  }

  private async takeAll(name: string): Promise<void> {
    const { take, failed, pauseMilliseconds = 0 } = this.options;
    const turn = { isAskedAgain: true };
    this.running.set(name, turn);
    try {
      for (let isFirst = true; turn.isAskedAgain && !this.hasEnded; isFirst = false) {
        if (!isFirst && pauseMilliseconds > 0) await pause(pauseMilliseconds, undefined, { ref: false });
        turn.isAskedAgain = false;
        // Only ever raised here: who asked meanwhile must not be forgotten.
        if (await take(name)) turn.isAskedAgain = true;
      }
    } catch (error) {
      failed(error, name);
    } finally {
      // In the same step as the last look at the flag, so that nobody asks a turn that has ended.
      this.running.delete(name);
    }
  }
}
