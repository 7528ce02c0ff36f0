import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

// Below the range from which the kernel takes ports for outgoing connections: one of those must not take a server's
// port between choosing and starting.
const lowest = 20_000;
const highest = 32_000;

const chosen = new Set<number>();

/** Whether nothing listens on this port of 127.0.0.1. */
export function isFree(port: number): Promise<boolean> {
  return new Promise((answer) => {
    const probe = createServer();
    probe.once('error', () => answer(false));
    probe.listen({ port, host: '127.0.0.1', exclusive: true }, () => probe.close(() => answer(true)));
  });
}

/** A port of 127.0.0.1 that is free and was not handed out before. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(lowest, highest);
    if (chosen.has(port) || !(await isFree(port))) continue;
    chosen.add(port);
    return port;
  }
}

/** The wanted port of 127.0.0.1 where it is free and was not handed out before, else any such one. */
export async function portNear(wanted: number): Promise<number> {
  if (wanted > 65_535 || chosen.has(wanted) || !(await isFree(wanted))) return freePort();
  chosen.add(wanted);
  return wanted;
}
