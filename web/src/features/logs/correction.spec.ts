import type { OwnLog } from '@caravan/contracts/http/movement';
import { expect, test } from 'vitest';
import { datesIn } from '../../lib/dates.ts';
import { goneOf } from '../../lib/photos.ts';
import { correctionOf, draftOf, isChangeable, withoutChosenPhoto } from './correction.ts';

const log: OwnLog = {
  id: 'l1',
  activityType: 'Walking',
  durationMinutes: 30,
  distanceMiles: 3,
  multiplier: 1,
  source: 'timer',
  isImported: false,
  importSource: null,
  audience: 'organisation',
  heartRate: null,
  calories: null,
  perceivedEffort: null,
  isCounted: true,
  countsByWord: null,
  sameAs: null,
  caption: 'Round the lake',
  location: null,
  photoPath: null,
  photoUrl: null,
  photo: null,
  startedAt: '2026-11-20T08:30:45.000Z',
  loggedOn: '2026-11-20',
  createdAt: '2026-11-20T09:01:00.000Z',
};
const { inField, ofField } = datesIn('UTC');
const draft = draftOf(log, inField);
const change = (part: Partial<typeof draft>) => correctionOf(draft, { ...draft, ...part }, ofField);

test('[D8] what was not touched is not sent, not even the seconds of its start', () => {
  expect(change({})).toEqual({});
  expect(change({ minutes: '20' })).toEqual({ durationMinutes: 20 });
});

test('[D8] what was touched is sent; an emptied description is taken away', () => {
  expect(change({ activityType: 'Yoga', startedAt: '2026-11-19T08:30', caption: ' ' })).toEqual({
    activityType: 'Yoga',
    startedAt: '2026-11-19T08:30:00.000Z',
    photoPrompt: null,
  });
});

test('[D8] the effort is sent when it was chosen anew, and null takes it away', () => {
  const rated = draftOf({ ...log, perceivedEffort: 3 }, inField);
  const correctEffort = (perceivedEffort: number | undefined) =>
    correctionOf(rated, { ...rated, perceivedEffort }, ofField);
  expect([correctEffort(3), correctEffort(5), correctEffort(undefined)]).toEqual([
    {},
    { perceivedEffort: 5 },
    { perceivedEffort: null },
  ]);
});

const lake = { objectPath: '/objects/photos/p1', previewUrl: '', alt: null };

test('[D8 3.32] another photo is sent, a photo taken away is null, and the same one is not sent', () => {
  const shown = { width: 1280, height: 960, thumbHash: 'AAAA', alt: 'The lake', srcSet: '' };
  const before = draftOf({ ...log, photoPath: lake.objectPath, photoUrl: '/p1.webp', photo: shown }, inField);
  expect(before.photo).toEqual({ ...lake, previewUrl: '/p1.webp', alt: 'The lake', width: 1280, height: 960 });
  const correctPhoto = (photo: typeof before.photo) => correctionOf(before, { ...before, photo }, ofField);
  expect(correctPhoto({ ...lake, objectPath: '/objects/photos/p2' })).toEqual({ photoPath: '/objects/photos/p2' });
  expect([correctPhoto(null), correctPhoto(lake)]).toEqual([{ photoPath: null }, {}]);
  expect(change({ photo: lake })).toEqual({ photoPath: '/objects/photos/p1' });
});

test('[D8 D29] a chosen photo that is gone takes nothing from the log', () => {
  const before = draftOf({ ...log, photoPath: lake.objectPath }, inField);
  const chosen = { ...before, minutes: '20', photo: { ...lake, objectPath: '/objects/photos/p2' } };
  const after = withoutChosenPhoto(before, chosen);
  expect(after).toEqual({ ...chosen, photo: goneOf(chosen.photo) });
  expect(correctionOf(before, after, ofField)).toEqual({ durationMinutes: 20 });
  const same = { ...before, minutes: '20' };
  expect(withoutChosenPhoto(before, same)).toBe(same);
});

test('[D8] a log can be changed for 7 days', () => {
  const made = new Date(log.createdAt).getTime();
  expect([isChangeable(log, made + 7 * 86_400_000 - 1), isChangeable(log, made + 7 * 86_400_000)]).toEqual([
    true,
    false,
  ]);
});
