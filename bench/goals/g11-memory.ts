import { setTimeout as pause } from 'node:timers/promises';
import { startFloor } from '../child.ts';
import { judge, type Finding } from '../harness.ts';
import { memoryMiB } from '../processes.ts';
import { ours, pidOf, runningProduct } from '../product.ts';

/** An idle process gives memory back within this time (design/load.md). */
const idleMilliseconds = 45_000;

/** G11: the idle product against an empty Nest process. */
export async function memory(): Promise<Finding[]> {
  const product = runningProduct();
  await pause(idleMilliseconds);
  const floor = await startFloor('floors/empty-nest.ts');
  try {
    const empty = memoryMiB(floor.pid).rss;
    const used = ours.map((name) => ({ name, ...memoryMiB(pidOf(product, name)) }));
    const largest = used.reduce((most, process) => (process.rss > most.rss ? process : most));
    const list = used.map(({ name, rss }) => `${name} ${Math.round(rss)}`).join(', ');
    return [
      judge({
        goal: 'G11',
        what: `resident memory of the largest service against an empty Nest process of ${Math.round(empty)} MiB (MiB: ${list})`,
        value: largest.rss / empty,
        wanted: { atMost: 1.4 },
        unit: '×',
      }),
      judge({
        goal: 'G11',
        what: 'proportional memory of all of ours together',
        value: used.reduce((sum, { pss }) => sum + pss, 0),
        wanted: { atMost: 900 },
        unit: ' MiB',
      }),
    ];
  } finally {
    floor.stop();
  }
}
