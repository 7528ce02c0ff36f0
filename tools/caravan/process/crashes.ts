export type CrashCount = { count: number; lastAt: string; how: string };

/** A program that crashes so often in a minute stays down: starting it would hide a fault. */
export const tooMany = 5;
const withinMs = 60_000;
/** Pauses before a start after the first crash of a minute, the second, and so on. */
export const defaultPausesMs = [100, 500, 2_500, 10_000];

export class Crashes {
  readonly #counts = new Map<string, CrashCount>();
  readonly #recent = new Map<string, number[]>();

  constructor(private readonly pausesMs: readonly number[] = defaultPausesMs) {}

  /** Milliseconds until the next start; undefined when it has crashed too often. `at` is epoch ms. */
  note(program: string, how: string, at: number): number | undefined {
    const recent = [...(this.#recent.get(program) ?? []).filter((each) => at - each < withinMs), at];
    this.#recent.set(program, recent);
    const count = (this.#counts.get(program)?.count ?? 0) + 1;
    this.#counts.set(program, { count, lastAt: new Date(at).toISOString(), how });
    return recent.length >= tooMany ? undefined : this.pausesMs[Math.min(recent.length, this.pausesMs.length) - 1];
  }

  get counts(): Record<string, CrashCount> {
    return Object.fromEntries(this.#counts);
  }
}

export class CrashError extends Error {
  constructor(
    readonly program: string,
    readonly how: string,
    readonly logFile: string,
    readonly lastWords: string[],
  ) {
    super(`${program} ended by itself (${how})`);
    this.name = 'CrashError';
  }
}
