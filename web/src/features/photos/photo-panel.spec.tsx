import { mostPhotoBytes, photoTypes as takenTypes } from '@caravan/contracts/http/photos';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { type Api, momentOf, noticeOf, openApp, pathsOf, sentTo, serveApi, signedInAs } from '../../testing/app.tsx';
import { toast } from '../../ui/toast-state.ts';
import { mostBytes, photoTypes } from './limits.ts';
import { serveStorage } from './testing/transfers.ts';

const starting = 'POST /api/objects/upload';
const registering = 'PUT /api/workout-photos';
const logging = 'POST /api/log';
const incoming = 'http://localhost:3000/objects/incoming/o1/u1/f1';
const registered = {
  objectPath: '/objects/photos/p1',
  width: 1280,
  height: 960,
  thumbHash: 'AAAA',
  previewUrl: '/objects/photos/p1/640.webp?viewer=u1&expires=1&signature=s',
};
const server: Api = {
  [starting]: { body: { uploadURL: `${incoming}?X-Amz-Signature=s1` } },
  [registering]: { body: registered },
  [logging]: { body: { milesEarned: 3 } },
};

const lake = (name = 'lake.jpg', type = 'image/jpeg') => new File(['pixels'], name, { type });
const press = async (name: RegExp | string) => userEvent.click(await screen.findByRole('button', { name }));
const panel = () => screen.findByRole('dialog', { name: /photo$/ });
const fileField = (dialog: HTMLElement) => {
  const field = dialog.querySelector<HTMLInputElement>('input[name="files[]"]:not([webkitdirectory])');
  if (!field) throw new Error('The panel has no field for files');
  return field;
};
const choose = async (...files: File[]) => fireEvent.change(fileField(await panel()), { target: { files } });

/** The manual log, with the panel open. */
async function openPanel(api: Api = {}) {
  signedInAs();
  const calls = serveApi({ ...server, ...api });
  const app = openApp('/timer');
  await press('Log manually');
  await press('Add a photo');
  await panel();
  return { calls, ...app };
}

beforeEach(() => {
  toast({ title: 'Nothing yet' });
  serveStorage();
  // jsdom lays nothing out and draws no pictures, which is logged.
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
});

test('[5.10 9.25] the panel takes what the server takes', () => {
  expect([mostBytes, photoTypes]).toEqual([mostPhotoBytes, [...takenTypes]]);
});

test('[2.112 9.26] it has a drop zone, the own device and a camera, 750 by 550 pixels', async () => {
  await openPanel();
  const dialog = within(await panel());
  expect(dialog.getByRole('tab', { name: 'My Device' })).toBeDefined();
  expect(dialog.getByText('browse files').parentElement?.textContent).toMatch(/^Drop a photo here, browse files/);
  const inner = (await panel()).querySelector<HTMLElement>('.uppy-Dashboard-inner');
  expect([inner?.style.width, inner?.style.height]).toEqual(['750px', '550px']);
  expect(fileField(await panel()).multiple).toBe(false);
});

test('[7.18 7.19 8.14 2.70 7.17] a photo is sent to its address, registered by it, and goes with the log', async () => {
  const transfers = serveStorage();
  const { calls } = await openPanel();
  await choose(lake());
  await press(/^Describe lake/);
  await userEvent.type(await screen.findByLabelText('Alt text'), 'The lake at noon');
  await press('Save changes');
  await press('Upload 1 file');
  expect(await noticeOf('Photo Uploaded!')).toBe('Your workout photo has been uploaded successfully.');
  expect(await sentTo(calls, starting)).toEqual({});
  expect(transfers).toHaveLength(1);
  expect(transfers[0]).toMatchObject({
    url: `${incoming}?X-Amz-Signature=s1`,
    headers: { 'Content-Type': 'image/jpeg' },
  });
  expect(await sentTo(calls, registering)).toEqual({ photoURL: incoming, alt: 'The lake at noon' });
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  const preview = screen.getByRole('img', { name: 'The lake at noon' });
  expect(preview.getAttribute('src')).toBe(registered.previewUrl);
  await press('Log Activity');
  await momentOf('Activity Logged!');
  const body = await sentTo(calls, logging);
  expect(body).toMatchObject({ photoPath: '/objects/photos/p1' });
  expect(body).not.toHaveProperty('photoPrompt');
});

test('[7.18 D37] a description that is saved right after its last letter keeps that letter', async () => {
  serveStorage();
  const { calls } = await openPanel();
  await choose(lake());
  await press(/^Describe lake/);
  const field = await screen.findByLabelText<HTMLInputElement>('Alt text');
  await userEvent.type(field, 'A lak');
  fireEvent.input(field, { target: { value: 'A lake' } });
  fireEvent.submit(field.form as HTMLFormElement);
  await press('Upload 1 file');
  expect(await sentTo(calls, registering)).toEqual({ photoURL: incoming, alt: 'A lake' });
});

test('[4.40 4.42] what happens is said where it cannot be seen', async () => {
  serveStorage('never');
  await openPanel();
  const status = within(await panel()).getByRole('status');
  await choose(lake());
  await waitFor(() => expect(status.textContent).toBe('1 file selected'));
  await press('Upload 1 file');
  await waitFor(() => expect(status.textContent).toBe('Uploading'));
  await userEvent.click(await screen.findByTitle('Pause'));
  await waitFor(() => expect(status.textContent).toBe('Paused'));
});

test.each([
  [[lake(), lake('hill.jpg')], 'You can only upload 1 file'],
  [[lake('notes.txt', 'text/plain')], `You can only upload: ${photoTypes.join(', ')}`],
  [[lake('lake.heic', 'image/heic')], /^HEIC photos cannot be read here/],
  [[lake('lake.svg', 'image/svg+xml')], /^Vector graphics \(SVG\) are not photos/],
  [[new File([], 'lake.jpg', { type: 'image/jpeg' })], 'This file is empty'],
])('[5.10 5.11 5.13 8.16] case %#: the panel says why it does not take a file', async (files, words) => {
  await openPanel();
  await choose(...files);
  expect((await within(await panel()).findAllByText(words)).length).toBeGreaterThan(0);
  expect(screen.queryByRole('button', { name: 'Upload 1 file' })).toBeNull();
});

test.each([
  [mostBytes, true],
  [mostBytes + 1, false],
])('[5.10 9.25 9.27] a photo of %i bytes is taken: %s', async (size, isTaken) => {
  await openPanel();
  const file = lake();
  Object.defineProperty(file, 'size', { value: size });
  await choose(file);
  const dialog = within(await panel());
  if (isTaken) expect(await dialog.findByRole('button', { name: 'Upload 1 file' })).toBeDefined();
  else expect((await dialog.findAllByText('lake.jpg exceeds maximum allowed size of 10 MB')).length).toBeGreaterThan(0);
});

test('[4.41 8.17] without a network the panel says so as long as it lasts, and the upload waits for it', async () => {
  serveStorage(0);
  const isOnline = vi.spyOn(navigator, 'onLine', 'get');
  const { calls } = await openPanel();
  await choose(lake());
  const dialog = within(await panel());
  isOnline.mockReturnValue(false);
  fireEvent(globalThis.window, new Event('offline'));
  expect((await dialog.findByText('No Internet connection', { selector: 'b' })).closest('[role]')?.role).toBe('alert');
  await press('Upload 1 file');
  await waitFor(() => expect(pathsOf(calls)).toContain(starting));
  expect(pathsOf(calls)).not.toContain(registering);
  isOnline.mockReturnValue(true);
  fireEvent(globalThis.window, new Event('online'));
  expect((await dialog.findAllByText('Connected to the Internet')).length).toBeGreaterThan(0);
  expect(dialog.queryByText('No Internet connection', { selector: 'b' })).toBeNull();
  await noticeOf('Photo Uploaded!');
});

test('[8.15] an address that has expired is replaced, and the photo registered by the new one', async () => {
  const expired = { status: 403, body: '<Error><Message>Request has expired</Message></Error>' };
  const transfers = serveStorage(expired);
  const addresses = ['f1?X-Amz-Signature=s1', 'f2?X-Amz-Signature=s2'].map((end) => `${incoming.slice(0, -2)}${end}`);
  const left = [...addresses];
  const { calls } = await openPanel({ [starting]: () => ({ body: { uploadURL: left.shift() } }) });
  await choose(lake());
  await press('Upload 1 file');
  await noticeOf('Photo Uploaded!');
  expect(transfers.map(({ url }) => url)).toEqual(addresses);
  expect(await sentTo(calls, registering)).toEqual({ photoURL: `${incoming.slice(0, -2)}f2` });
});

test('[8.15 8.17] what the server says against an upload stands in the panel, and one can try again', async () => {
  const refusals = [{ status: 429, body: { code: 'photo/too-many', message: 'Thirty photos an hour are enough' } }];
  const { calls } = await openPanel({ [starting]: () => refusals.shift() ?? { body: { uploadURL: incoming } } });
  await choose(lake());
  await press('Upload 1 file');
  const dialog = within(await panel());
  expect((await dialog.findAllByText('Thirty photos an hour are enough')).length).toBeGreaterThan(0);
  expect((await dialog.findAllByText(/^Failed to upload lake\.jpg/)).length).toBeGreaterThan(0);
  expect(dialog.getByText('Upload failed', { selector: '.uppy-StatusBar-statusPrimary' })).toBeDefined();
  expect(dialog.getByRole('button', { name: 'Show error details' })).toBeDefined();
  await userEvent.click(dialog.getByText('Retry'));
  await noticeOf('Photo Uploaded!');
  expect(pathsOf(calls).filter((path) => path === starting)).toHaveLength(2);
});

test('[8.10] a file that the server cannot make a photo of: it says so, and why', async () => {
  const words = 'This file cannot be read as a photo. It may be damaged.';
  await openPanel({ [registering]: { status: 422, body: { code: 'photo/unreadable', message: words } } });
  await choose(lake());
  await press('Upload 1 file');
  expect(await noticeOf('Upload Error')).toBe('Failed to process uploaded photo. Please try again.');
  expect((await within(await panel()).findAllByText(words)).length).toBeGreaterThan(0);
  const status = within(await panel()).getByRole('status');
  await waitFor(() => expect(status.textContent).toBe('Upload failed'));
  expect((await panel()).querySelector('.uppy-DashboardContent-title')?.textContent).toBe('Upload failed');
});

test('[4.43 5.12] cancelling leaves nothing, and another photo can be chosen', async () => {
  serveStorage('never');
  const { calls } = await openPanel();
  await choose(lake());
  await press('Upload 1 file');
  await screen.findByTitle('Pause');
  await userEvent.click(within(await panel()).getByText('Cancel'));
  expect(await within(await panel()).findByText('browse files')).toBeDefined();
  await choose(lake('hill.jpg'));
  expect(await screen.findByRole('button', { name: /^Describe hill/ })).toBeDefined();
  fireEvent.click(within(await panel()).getByRole('button', { name: 'Close' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Add a photo' }));
  expect(pathsOf(calls)).not.toContain(registering);
  await press('Add a photo');
  expect(await within(await panel()).findByText('browse files')).toBeDefined();
});

test('[1.8 2.70] on a phone one press takes a photo; the panel has it already', async () => {
  signedInAs();
  serveApi(server);
  openApp('/timer');
  await press('Log manually');
  const field = await screen.findByLabelText<HTMLInputElement>('Take a photo', { selector: 'input' });
  expect(field.getAttribute('capture')).toBe('environment');
  await userEvent.upload(field, lake());
  expect(await within(await panel()).findByRole('button', { name: 'Upload 1 file' })).toBeDefined();
});
