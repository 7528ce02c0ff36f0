import { Fenced, nameOf, type PartitionClaim } from './consumer-offsets.ts';

type PassedOffsetsOptions = {
  readonly afterMs: number;
  /** Throws `Fenced` when one of them is claimed by somebody else. */
  readonly record: (claims: readonly PartitionClaim[]) => Promise<unknown>;
};

/**
 * How far partitions were read where nothing was to be done. It is recorded for all of them at once, a while later:
 * whoever takes over before that reads the same messages again, and again does nothing (design/delivery.md).
 */
export class PassedOffsets {
  private readonly options: PassedOffsetsOptions;
  private readonly waiting = new Map<string, PartitionClaim>();
  private timer: NodeJS.Timeout | undefined;
  private recording: Promise<void> | undefined;

  constructor(options: PassedOffsetsOptions) {
    this.options = options;
  }

  pass(claim: PartitionClaim, nextOffset: number): void {
    claim.nextOffset = nextOffset;
    this.wait(claim);
  }

  /** To be awaited before a batch of the partition is applied, which records how far it has come. */
  async settle(claim: PartitionClaim): Promise<void> {
    this.waiting.delete(nameOf(claim));
    await this.recording;
  }

  forget(): void {
    this.waiting.clear();
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  private wait(claim: PartitionClaim): void {
    this.waiting.set(nameOf(claim), claim);
    this.timer ??= setTimeout(() => this.start(), this.options.afterMs).unref();
  }

  private start(): void {
    this.timer = undefined;
    const claims = [...this.waiting.values()];
    this.waiting.clear();
    const before = this.recording ?? Promise.resolve();
    const recording = before.then(() => this.record(claims));
    this.recording = recording;
    void recording.then(() => {
      if (this.recording === recording) this.recording = undefined;
    });
  }

  private async record(claims: readonly PartitionClaim[]): Promise<void> {
    if (claims.length === 0) return;
    try {
      await this.options.record(claims);
    } catch (error) {
      // One that is lost keeps none of the others back.
      if (claims.length > 1) for (const claim of claims) await this.record([claim]);
      else if (!(error instanceof Fenced)) for (const claim of claims) this.wait(claim);
    }
  }
}
