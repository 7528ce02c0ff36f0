/** Starts work at a fixed rate: a slow answer delays nobody else and counts with the time that a person waits. */
export async function openLoop(options: {
  ratePerSecond: number;
  seconds: number;
  work: (index: number) => Promise<void>;
}): Promise<{ started: number; failed: number }> {
  const { ratePerSecond, seconds, work } = options;
  // A rate that is a quotient must not lose its last visit to rounding.
  const total = Math.floor(ratePerSecond * seconds + 1e-6);
  const startedAt = performance.now();
  const running: Promise<void>[] = [];
  let failed = 0;
  for (let index = 0; index < total; index += 1) {
    const due = startedAt + (index * 1000) / ratePerSecond;
    const early = due - performance.now();
    if (early > 1) await new Promise((resolve) => setTimeout(resolve, early));
    running.push(work(index).catch(() => void (failed += 1)));
  }
  await Promise.all(running);
  return { started: total, failed };
}
