import { expect, test } from 'vitest';
import { declaredTasks, madeAt } from './background.ts';

/** Timers that need no entry in the record, and why. */
const timers: Readonly<Record<string, string>> = {
  'libs/service-kit/process/repeating.ts': 'registers itself',
  'libs/service-kit/telemetry/background-work.ts': 'looks at the record itself',
  'libs/service-kit/process/heartbeat.ts': 'reports the life of the connection of a subscriber',
  'libs/service-kit/process/idle-memory.ts': 'only gives memory back',
  'libs/service-kit/media/image-process.ts': 'runs in a process that is killed when its time is over',
  'libs/service-kit/process/ending.ts': 'runs while the process ends',
  'libs/messaging/consumer/batch-worker.ts': 'runs during one batch of a consumer',
  'libs/messaging/relay/relay.ts': 'runs during a session of the relay, which reports itself',
  'gateway/src/live/open-pages.ts': 'runs for one open page',
};

test('every setInterval is part of the record of background work or is a known exception', () => {
  expect(new Set(madeAt(/\bsetInterval\(/g))).toEqual(new Set(Object.keys(timers)));
});

test('background work is created with a literal name, so that the record can be compared', () => {
  const makers =
    /(?<!function )\b(?:defineJob|sweeps\.of|createSubscriber|new (?:Repeating|WorkQueue|KeyedQueue)(?:<\w+>)?)\(/g;
  const countIn = (files: readonly string[], file: string) => files.filter((each) => each === file).length;
  const directly = ['outbox', 'live-messages'];
  const named = declaredTasks()
    .filter(({ task }) => !directly.includes(task))
    .map(({ file }) => file);
  const made = madeAt(makers);
  const unnamed = [...new Set(made)].filter((file) => countIn(made, file) !== countIn(named, file));
  // The connection of jobs is named after its service.
  expect(unnamed).toEqual(['libs/service-kit/jobs/jobs.ts']);
  expect(declaredTasks().length).toBeGreaterThan(60);
});
