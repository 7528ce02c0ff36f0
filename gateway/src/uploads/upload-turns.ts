export type TurnLimits = {
  /** More do not move faster, and the storage's threads would keep every core from those who only read (ADR 0056). */
  readonly atOnce: number;
  /** Long enough for a file from somebody near; who is slower has their next turn after the others. */
  readonly mostMilliseconds: number;
};

/** Which of the files that are on their way move now: a few, in the order in which they came. */
export class UploadTurns {
  private readonly waiting: (() => void)[] = [];
  private running = 0;

  constructor(private readonly limits: TurnLimits = { atOnce: 8, mostMilliseconds: 500 }) {}

  async next(): Promise<Turn> {
    if (this.running < this.limits.atOnce) this.running += 1;
    else await new Promise<void>((begin) => this.waiting.push(begin));
    return new Turn(this.limits.mostMilliseconds, () => {
      const begin = this.waiting.shift();
      if (begin) begin();
      else this.running -= 1;
    });
  }
}

/** Ends by itself: who stands still, on either side, keeps nobody. */
export class Turn {
  isOver = false;
  private readonly timer: NodeJS.Timeout;

  constructor(
    mostMilliseconds: number,
    private readonly onEnd: () => void,
  ) {
    this.timer = setTimeout(() => this.end(), mostMilliseconds);
  }

  end(): void {
    if (this.isOver) return;
    this.isOver = true;
    clearTimeout(this.timer);
    this.onEnd();
  }
}
