import { expect, test } from 'vitest';
import { AsyncEvent } from './async-event.ts';

test('a wait ends when the event is set, and at once when it already is', async () => {
  const event = new AsyncEvent();
  const waiting = event.wait(60_000);
  event.set();
  expect(await waiting).toBe(true);
  expect(await event.wait(60_000)).toBe(true);
});

test('a wait that nobody ends is over after its time; an event that was reset does not end it', async () => {
  const event = new AsyncEvent();
  event.set();
  event.reset();
  expect(event.isSet()).toBe(false);
  expect(await event.wait(1)).toBe(false);
});
