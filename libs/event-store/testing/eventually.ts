import { vi } from 'vitest';

/** Waits until the check passes, on however busy a machine: the end is only for what would wait for ever. */
export const eventually = <Result>(check: () => Result | Promise<Result>): Promise<Result> =>
  vi.waitFor(check, { timeout: 30_000, interval: 20 });
