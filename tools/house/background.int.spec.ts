import { type AllServices, startAllServices } from '@caravan/check-invariants/all-services';
import { serviceNames } from '@caravan/contracts/events/topics';
import { Metrics } from '@caravan/service-kit/telemetry/metrics';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { declaredTasks } from './background.ts';

let product: AllServices;
let registered: string[];

const tasksIn = (figures: string): string[] =>
  [...figures.matchAll(/^caravan_background_late\{(?=[^}]*task="([^"]+)")/gm)].map(([, task = '']) => task);

beforeAll(async () => {
  product = await startAllServices();
  const figures = serviceNames.map((name) => product.services[name].app.get(Metrics).registry.metrics());
  registered = (await Promise.all(figures)).flatMap(tasksIn);
});
afterAll(() => product.close());

test('every job, sweep, timer, queue, relay and subscriber is in the record of background work', () => {
  const ofServices = declaredTasks().filter(({ file }) => !file.startsWith('gateway/'));
  expect(ofServices.filter(({ task }) => !registered.includes(task))).toEqual([]);
});

test('every service records its relay, the connection of its jobs and its session subscriber', () => {
  for (const name of serviceNames) expect(registered).toContain(`${name}-jobs`);
  for (const task of ['outbox', 'ended-sessions'])
    expect(registered.filter((each) => each === task)).toHaveLength(serviceNames.length);
});
