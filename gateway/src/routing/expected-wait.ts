/** Weighs the last so many turns. */
const turnsWeighed = 256;
/** A pause of a moment, and the crowd behind it, is over by then. */
const millisecondsToKnow = 500;

/** How long who comes now will wait for one of a number of places, by the pace at which those who have one leave. */
export class ExpectedWait {
  private present = 0;
  private turns = 0;
  private fullSince = 0;
  private lastTurnAt = 0;
  private millisecondsPerTurn = 0;

  constructor(private readonly places: number) {}

  get running(): number {
    return this.present;
  }

  /** 0 where nobody waits, and while the pace is not known yet. */
  get milliseconds(): number {
    const isKnown = this.lastTurnAt - this.fullSince >= millisecondsToKnow;
    return isKnown ? Math.max(0, this.present - this.places) * this.millisecondsPerTurn : 0;
  }

  begin(now: number): void {
    this.present += 1;
    if (this.present !== this.places + 1) return;
    // What was before says nothing: somebody waits only now.
    this.turns = 0;
    this.fullSince = this.lastTurnAt = now;
  }

  end(now: number): void {
    const isTurn = this.present > this.places;
    this.present -= 1;
    if (!isTurn) return;
    this.turns += 1;
    const took = now - this.lastTurnAt;
    this.millisecondsPerTurn += (took - this.millisecondsPerTurn) / Math.min(this.turns, turnsWeighed);
    this.lastTurnAt = now;
  }
}
