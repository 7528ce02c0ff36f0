import { randomInt } from 'node:crypto';
import { connect, createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

// Below the range of outgoing connections, one of which could take the port before the server does.
const lowest = 20_000;
const highest = 32_000;

const chosen = new Set<number>();

export function isFree(port: number): Promise<boolean> {
  return new Promise((answer) => {
    const probe = createServer();
    probe.once('error', () => answer(false));
    probe.listen({ port, host: '127.0.0.1', exclusive: true }, () => probe.close(() => answer(true)));
  });
}

export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(lowest, highest);
    if (chosen.has(port) || !(await isFree(port))) continue;
    chosen.add(port);
    return port;
  }
}

export async function portNear(wanted: number): Promise<number> {
  if (wanted > 65_535 || chosen.has(wanted) || !(await isFree(wanted))) return freePort();
  chosen.add(wanted);
  return wanted;
}

/** Asks until the answer is yes. Fails with `whatIsMissing` after `timeoutMs`, or by `signal`. */
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

/** Whether one of our processes is ready. A failing fetch() costs a hundred times what a refused connection does. */
export const isReadyAt = (url: string): Promise<boolean> =>
  answers(
    Number(new URL(url).port),
    'GET /health/ready HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n',
    'HTTP/1.1 200',
  );

/** Sends `question` to a port; whether the answer starts with `expected` within a second. */
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
