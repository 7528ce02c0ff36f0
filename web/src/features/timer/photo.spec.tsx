import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type FormPhoto, goneOf } from '../../lib/photos.ts';
import { type Api, momentOf, noticeOf, openApp, pathsOf, sentTo, serveApi, signedInAs } from '../../testing/app.tsx';
import { clearLog, detailRun, isBeingLogged, isTold, pauseRun, readRun, startRun } from './run.ts';
import { button, logAnswer, logging, moveFor, open, press, stopTheClock, time, write } from './testing/open-timer.tsx';

const start = 1_700_000_000_000;
const paused = pauseRun(startRun(start, { activity: 'Walking', targetMinutes: null, bonus: null }), start + 600_000);
const photo: FormPhoto = {
  objectPath: '/objects/photos/p1',
  photoURL: 'https://caravan.example/objects/incoming/o1/u1/f1',
  previewUrl: '/objects/photos/p1/640.webp?signature=s1',
  alt: 'The lake at noon',
  width: 1280,
  height: 960,
};
const registering = 'PUT /api/workout-photos';

/** The app again, where a log with a photo was being made. */
async function openForm(api: Api = {}, kept: FormPhoto = photo, words = '') {
  signedInAs();
  localStorage.setItem('caravan:timer:u1', JSON.stringify(detailRun(paused, { photo: kept, description: words })));
  const calls = serveApi(api);
  const app = openApp('/timer');
  await screen.findByRole('button', { name: 'Log Activity' });
  return { calls, ...app };
}

beforeEach(stopTheClock);
afterEach(() => void vi.useRealTimers());

test.each([
  ['', undefined, false],
  ['  ', undefined, false],
  ['Round the lake', undefined, true],
  ['', photo, true],
  ['', goneOf(photo), false],
  ['Round the lake', goneOf(photo), true],
])('[5.8] a log with the words "%s" and %o tells something: %s', (description, shown, isEnough) => {
  expect(isTold({ description, photo: shown })).toBe(isEnough);
});

test('a run keeps its photo, and nonsense is no photo', () => {
  const run = detailRun(paused, { photo });
  expect(readRun(JSON.stringify(run))).toEqual(run);
  expect([
    isBeingLogged(run),
    isBeingLogged(clearLog(run)),
    isBeingLogged(detailRun(run, { photo: undefined })),
  ]).toEqual([true, false, false]);
  for (const nonsense of [
    'p1',
    { objectPath: 1 },
    { ...photo, previewUrl: null },
    { ...photo, width: 'wide' },
    { ...photo, isGone: 1 },
  ])
    expect(readRun(JSON.stringify({ ...run, photo: nonsense }))).toBeNull();
});

test('[5.8 3.32] a photo alone can be logged; a reload has not lost it', async () => {
  const { calls } = await openForm(logAnswer(1));
  expect(screen.getByRole('img', { name: 'The lake at noon' }).getAttribute('src')).toBe(photo.previewUrl);
  expect(button('Log Activity').disabled).toBe(false);
  await press('Log Activity');
  await momentOf('Activity Logged!');
  const body = await sentTo(calls, logging);
  expect(body).toMatchObject({ photoPath: '/objects/photos/p1', durationMinutes: 10 });
  expect(body).not.toHaveProperty('photoPrompt');
});

test('[2.70 5.8] removed with one press, it is gone from the form and from what is kept; the focus is not', async () => {
  await openForm();
  await press('Remove photo');
  expect(screen.queryByRole('img', { name: 'The lake at noon' })).toBeNull();
  expect([button('Log Activity').disabled, document.activeElement]).toEqual([true, button('Add a photo')]);
  expect(readRun(localStorage.getItem('caravan:timer:u1'))?.photo).toBeUndefined();
  const form = button('Log Activity').closest('form');
  if (form) fireEvent.submit(form);
  expect(await noticeOf('Photo or Description Required')).toBe(
    'Please either upload a photo or describe your workout.',
  );
});

test('[4.26] Cancel keeps the time and lets go of the photo', async () => {
  await openForm();
  await press('Cancel');
  expect(time()).toBe('10:00');
  cleanup();
  await open();
  await press('Stop');
  expect(screen.queryByRole('img')).toBeNull();
  expect(button('Add a photo')).toBeDefined();
});

test('a preview whose address has expired is asked for again; what was typed meanwhile stays', async () => {
  let answer: (value: { body: unknown }) => void = () => undefined;
  const { calls } = await openForm({ [registering]: () => new Promise((resolve) => (answer = resolve)) });
  fireEvent.error(screen.getByRole('img', { name: 'The lake at noon' }));
  await waitFor(() => expect(pathsOf(calls)).toContain(registering));
  write('Round the lake');
  answer({ body: { objectPath: photo.objectPath, previewUrl: '/objects/photos/p1/640.webp?signature=s2' } });
  const again = await screen.findByRole('img', { name: 'The lake at noon' });
  expect(again.getAttribute('src')).toBe('/objects/photos/p1/640.webp?signature=s2');
  expect(await sentTo(calls, registering)).toEqual({ photoURL: photo.photoURL });
  expect(screen.getByLabelText<HTMLTextAreaElement>('Describe your workout').value).toBe('Round the lake');
});

const findGoneMessage = () => screen.findByText('Your photo is gone', { selector: '[role=alert] *' });
/** Like the server once the clean-up was there. */
const cleanedUp: Api = {
  [logging]: async (request) =>
    'photoPath' in ((await request.clone().json()) as object)
      ? { status: 404, body: { code: 'photo/not-found', message: 'This photo does not exist.' } }
      : { status: 201, body: { id: 'l1', milesEarned: 1, bonusApplied: false } },
};

test('[5.8 8.10 D29] a log that was kept for longer than its photo says so, and goes without it by one press, once', async () => {
  const { calls } = await openForm(cleanedUp, photo, 'Round the lake');
  await press('Log Activity');
  expect(await noticeOf('Error')).toBe('Failed to log activity. Please try again.');
  expect((await findGoneMessage()).parentElement?.textContent).toContain('Add it again, or go on without it.');
  expect(screen.queryByText('This photo does not exist.')).toBeNull();
  await press('Log without the photo');
  await momentOf('Activity Logged!');
  const sent = calls.filter(({ url, method }) => method === 'POST' && url.endsWith('/api/log'));
  const [first, second, ...more] = await Promise.all(sent.map((call) => call.clone().json() as Promise<object>));
  expect(first).toEqual({ ...second, photoPath: photo.objectPath });
  expect([second, more]).toEqual([expect.objectContaining({ photoPrompt: 'Round the lake', durationMinutes: 10 }), []]);
  // The first was refused, so nothing was logged by its key.
  expect(new Set(sent.map(({ headers }) => headers.get('idempotency-key'))).size).toBe(2);
});

test('[5.8 D29] where the photo was all there was of a log, words take its place; a reload does not forget that', async () => {
  const { calls } = await openForm({ ...cleanedUp, [registering]: { status: 404, body: { message: 'No upload.' } } });
  fireEvent.error(screen.getByRole('img', { name: 'The lake at noon' }));
  await findGoneMessage();
  expect(button('Log without the photo').disabled).toBe(true);
  cleanup();
  openApp('/timer');
  await findGoneMessage();
  expect([screen.queryByRole('img'), button('Add a photo').disabled]).toEqual([null, false]);
  write('Round the lake');
  await press('Log without the photo');
  await momentOf('Activity Logged!');
  expect(await sentTo(calls, logging)).not.toHaveProperty('photoPath');
});

test('what the server has against the photo of a log stands above the buttons', async () => {
  const message = 'This photo belongs to another log already. Please upload it again.';
  await openForm({ [logging]: { status: 409, body: { code: 'photo/used', message } } });
  await press('Log Activity');
  expect((await screen.findByText(message)).getAttribute('role')).toBe('alert');
});

test('a photo of which nothing but its path is known is there all the same', async () => {
  await openForm({}, { objectPath: '/objects/photos/p1', previewUrl: '', alt: null });
  expect(screen.getByText('Your photo')).toBeDefined();
  expect(button('Log Activity').disabled).toBe(false);
});

test('[1.8 5.8] the form of a timed log offers to add a photo before the words', async () => {
  await moveFor(60, '1:00');
  const words = screen.getByLabelText('Describe your workout');
  const place = screen.getByRole('group', { name: 'Photo' });
  expect(place.compareDocumentPosition(words) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy();
});
