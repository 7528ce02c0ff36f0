import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** Asks until the answer is yes. Fails with `whatIsMissing` after `timeoutMs`, or as soon as `signal` ends the wait. */
export async function until(
  isThere: () => boolean | Promise<boolean>,
  whatIsMissing: string,
  { timeoutMs = 60_000, everyMs = 40, signal }: { timeoutMs?: number; everyMs?: number; signal?: AbortSignal } = {},
): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  while (!(await isThere())) {
    signal?.throwIfAborted();
    if (performance.now() > deadline) throw new Error(`${whatIsMissing} (waited ${timeoutMs / 1000} s)`);
    await pause(everyMs);
  }
}

/** Sends `question` to a port of 127.0.0.1 and tells whether the answer starts with `expected` within a second. */
export function answers(port: number, question: string, expected: string): Promise<boolean> {
  return new Promise((answer) => {
    const socket = connect({ port, host: '127.0.0.1' });
    const end = (isIt: boolean): void => {
      socket.destroy();
      answer(isIt);
    };
    socket.setTimeout(1000, () => end(false));
    socket.once('error', () => end(false));
    socket.once('connect', () => socket.write(question));
    socket.once('data', (data) => end(data.toString('latin1').startsWith(expected)));
  });
}
