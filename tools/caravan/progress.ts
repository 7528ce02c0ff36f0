const startedAt = performance.now();
const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

/** Writes one line, led by the time since the launcher started. */
export function print(line: string): void {
  process.stdout.write(`${seconds(performance.now() - startedAt).padStart(7)}  ${line}\n`);
}

/** Does one step and says, when it is done, how long it took. */
export async function step<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
  const from = performance.now();
  const result = await work();
  print(`${what} (${seconds(performance.now() - from)})`);
  return result;
}
