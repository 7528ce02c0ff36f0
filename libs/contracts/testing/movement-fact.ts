import type { z } from 'zod';
import type { movementLogged } from '../events/activity.events.ts';

type MovementLogged = z.infer<typeof movementLogged.data>;

const walk: MovementLogged = {
  logId: '',
  userId: '',
  teamId: '',
  activityType: 'Walking',
  durationMinutes: 30,
  centimiles: 300,
  multiplier: 1,
  source: 'manual',
  startedAt: '2026-04-20T12:00:00.000Z',
  loggedAt: '2026-04-20T12:30:00.000Z',
  loggedOn: '2026-04-20',
  timeZone: 'Europe/Berlin',
  caption: null,
  location: null,
  photoPath: null,
  photo: null,
  audience: 'organisation',
  heartRate: null,
  calories: null,
};

/** What activity tells of a log: half an hour's walk but for what a test says. A new field has its value here. */
export const movementFact = <Told extends Partial<MovementLogged>>(told: Told): MovementLogged & Told => ({
  ...walk,
  ...told,
});
