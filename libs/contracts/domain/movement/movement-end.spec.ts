import { expect, test } from 'vitest';
import { movementEndOf } from './movement-end.ts';

const loggedAt = '2026-11-16T18:00:00.000Z';

test('[3.39] a movement is told of at the time it ended, not when it was typed in', () => {
  const yesterday = { startedAt: '2026-11-15T08:00:00.000Z', durationMinutes: 30, loggedAt };
  expect(movementEndOf(yesterday)).toBe('2026-11-15T08:30:00.000Z');
});

test('[3.39] a movement never ends after it was logged, whatever its minutes say', () => {
  const hasty = { startedAt: '2026-11-16T17:50:00.000Z', durationMinutes: 30, loggedAt };
  expect(movementEndOf(hasty)).toBe(loggedAt);
});
