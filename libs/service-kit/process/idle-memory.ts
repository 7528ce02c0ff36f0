import { performance } from 'node:perf_hooks';

type Look = {
  /** Share of the time since the look before in which the event loop was busy. */
  readonly busyShare: number;
  readonly heapBytes: number;
  readonly nowMilliseconds: number;
};

const idleShare = 0.05;
const worthBytes = 8 * 1024 * 1024;
const restMilliseconds = 10 * 60_000;

/** When memory that V8 keeps for work that does not come is worth a pause of a tenth of a second. */
export class IdleMemory {
  private given: { readonly heapBytes: number; readonly atMilliseconds: number } | undefined;

  shouldGive({ busyShare, heapBytes, nowMilliseconds }: Look): boolean {
    if (busyShare > idleShare) return false;
    if (!this.given) return true;
    const isRested = nowMilliseconds - this.given.atMilliseconds >= restMilliseconds;
    return isRested && heapBytes - this.given.heapBytes >= worthBytes;
  }

  /** With what is left of the heap. */
  gave({ heapBytes, nowMilliseconds }: Omit<Look, 'busyShare'>): void {
    this.given = { heapBytes, atMilliseconds: nowMilliseconds };
  }
}

const lookMilliseconds = 20_000;

/**
 * Nobody tells V8 that a process is idle: what starting it or an hour of load has left stays. Looks from time to time,
 * and does nothing where Node was started without `--expose-gc` (design/load.md).
 */
export function giveIdleMemoryBack(): void {
  const { gc } = globalThis;
  if (!gc) return;
  const memory = new IdleMemory();
  let before = performance.eventLoopUtilization();
  setInterval(() => {
    const now = performance.eventLoopUtilization();
    const busyShare = performance.eventLoopUtilization(now, before).utilization;
    before = now;
    if (!memory.shouldGive({ busyShare, ...look() })) return;
    gc({ type: 'major', flavor: 'last-resort', execution: 'sync' });
    memory.gave(look());
  }, lookMilliseconds).unref();
}

const look = () => ({ heapBytes: process.memoryUsage().heapTotal, nowMilliseconds: performance.now() });
