import { randomUUID } from '@caravan/contracts/testing/seeded';
import { i18n } from '@lingui/core';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { FormPhoto } from '../../lib/photos.ts';
import { type Api, noticeOf, openApp, pathsOf, sentTo, serveApi, signedInAs } from '../../testing/app.tsx';
import { toast } from '../../ui/toast-state.ts';
import { mostBytes, partedFromBytes } from './limits.ts';
import { serveLinkSockets } from './testing/link-sockets.ts';
import { serveStorage } from './testing/transfers.ts';
import { createUploader, registerWhenUploaded } from './upload.client.ts';

const registering = 'PUT /api/workout-photos';
const location = 'http://localhost:3000/objects/incoming/o1/u1/f1';
const link = 'https://photos.example.org/lake.jpg';
const server: Api = {
  'GET /companion/sources': { body: { link: true } },
  'POST /companion/url/meta': { body: { name: 'lake.jpg', type: 'image/jpeg', size: 9 } },
  'POST /companion/url/get': { body: { token: 't1' } },
  [registering]: { body: { objectPath: '/objects/photos/p1', previewUrl: '/objects/photos/p1/640.webp?signature=s' } },
};
const success = { action: 'success', payload: { complete: true, url: location, bytesUploaded: 9 } } as const;

const press = async (name: RegExp | string) => userEvent.click(await screen.findByRole('button', { name }));
const panel = () => screen.findByRole('dialog', { name: /photo$/ });

async function openPanel(api: Api = {}) {
  signedInAs();
  const calls = serveApi({ ...server, ...api });
  openApp('/timer');
  await press('Log manually');
  await press('Add a photo');
  await panel();
  return calls;
}

async function giveLink(address = link): Promise<void> {
  await userEvent.click(await screen.findByRole('tab', { name: 'Link' }));
  const field = await screen.findByLabelText('Address of a photo: https://…');
  fireEvent.change(field, { target: { value: address } });
  await press('Import');
}

beforeEach(() => {
  toast({ title: 'Nothing yet' });
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
});

describe('a photo of another site', () => {
  test('[2.112 7.37] is looked at, fetched by the server, and registered by where it lies', async () => {
    const sockets = serveLinkSockets(success);
    const calls = await openPanel();
    await giveLink();
    await press('Upload 1 file');
    await noticeOf('Photo Uploaded!');
    expect(await sentTo(calls, 'POST /companion/url/meta')).toEqual({ url: link });
    expect(await sentTo(calls, 'POST /companion/url/get')).toEqual({ url: link });
    expect(sockets.map(({ url }) => url)).toEqual(['ws://localhost:3000/companion/api/t1']);
    expect(await sentTo(calls, registering)).toEqual({ photoURL: location });
  });

  test('[8.15] that the server does not take is refused in its words, and asked for once', async () => {
    const message = 'Photos are fetched from the open internet only';
    const refused = { status: 422, body: { code: 'companion/link-inside', message } };
    const calls = await openPanel({ 'POST /companion/url/meta': refused });
    await giveLink('https://169.254.169.254/lake.jpg');
    expect((await within(await panel()).findAllByText(message)).length).toBeGreaterThan(0);
    expect(pathsOf(calls)).not.toContain('POST /companion/url/get');
  });

  test('[8.15] that turns out to be none says so at once, without ten more tries', async () => {
    const message = 'A photo may have 10 MB at most';
    const calls = await openPanel({ 'POST /companion/url/get': { status: 413, body: { code: 'x', message } } });
    await giveLink();
    await press('Upload 1 file');
    expect((await within(await panel()).findAllByText('Upload failed')).length).toBeGreaterThan(0);
    expect((await within(await panel()).findAllByText(message)).length).toBeGreaterThan(0);
    expect(pathsOf(calls).filter((path) => path === 'POST /companion/url/get')).toHaveLength(1);
  });

  test.each([{ body: { link: false } }, { status: 503, body: {} }])(
    'is no source where the instance fetches none, case %#',
    async (answer) => {
      const calls = await openPanel({ 'GET /companion/sources': answer });
      await waitFor(() => expect(pathsOf(calls)).toContain('GET /companion/sources'));
      expect(await screen.findByRole('tab', { name: 'Camera' })).toBeDefined();
      expect(screen.queryByRole('tab', { name: 'Link' })).toBeNull();
    },
  );
});

describe('a file in parts', () => {
  const multipart = '/companion/s3/multipart';
  const part = 5 * 1024 * 1024;
  const parts = [1, 2].map((nth) => `http://localhost:3000/objects/incoming/o1/u1/f1?partNumber=${nth}`);
  const inParts: Api = {
    ...server,
    [`POST ${multipart}`]: { body: { key: 'incoming/o1/u1/f1', uploadId: 'm 1', bucket: 'b' } },
    ...Object.fromEntries(
      parts.map((url, nth) => [`GET ${multipart}/m%201/${nth + 1}`, { body: { url, expires: 600 } }]),
    ),
    [`POST ${multipart}/m%201/complete`]: { body: { location, key: 'incoming/o1/u1/f1', bucket: 'b' } },
    [`DELETE ${multipart}/m%201`]: { body: {} },
  };

  function upload(api: Api = {}) {
    signedInAs();
    const calls = serveApi({ ...inParts, ...api });
    const uploader = createUploader(randomUUID(), i18n, part);
    const { promise: photo, resolve: onPhoto } = Promise.withResolvers<FormPhoto>();
    registerWhenUploaded(uploader, i18n, { onPhoto, onRefused: () => undefined, onDone: () => undefined });
    const data = new File([new Uint8Array(part + 7)], 'lake.jpg', { type: 'image/jpeg' });
    uploader.addFile({ name: data.name, type: data.type, data });
    return { calls, uploader, photo };
  }

  test('[9.26] is none that a photo may be, unless the threshold is lowered', () => {
    expect(partedFromBytes).toBe(100 * 1024 * 1024);
    expect(partedFromBytes).toBeGreaterThan(mostBytes);
  });

  test('[7.36] is begun, signed part by part, completed, and registered by where it lies', async () => {
    const transfers = serveStorage();
    const { calls, uploader, photo } = upload();
    await uploader.upload();
    expect((await photo).objectPath).toBe('/objects/photos/p1');
    expect(await sentTo(calls, `POST ${multipart}`)).toEqual({
      filename: 'lake.jpg',
      type: 'image/jpeg',
      size: part + 7,
    });
    expect(transfers.map(({ url, body }) => [url, (body as Blob).size]).toSorted()).toEqual([
      [parts[0], part],
      [parts[1], 7],
    ]);
    const completing = calls.find(({ url }) => url.includes('/complete'));
    expect(await completing?.clone().json()).toEqual({
      parts: [1, 2].map((PartNumber) => ({ PartNumber, ETag: '"e1"' })),
    });
    expect(new URL(completing?.url ?? '').searchParams.get('key')).toBe('incoming/o1/u1/f1');
    expect(await sentTo(calls, registering)).toEqual({ photoURL: location });
  });

  test('[8.15] whose address has expired is signed again; nothing else is begun', async () => {
    const transfers = serveStorage({ status: 403, body: '<Error><Message>Request has expired</Message></Error>' });
    const { calls, uploader, photo } = upload();
    await uploader.upload();
    await photo;
    expect(transfers).toHaveLength(3);
    expect(pathsOf(calls).filter((path) => path === `POST ${multipart}`)).toHaveLength(1);
    expect(pathsOf(calls)).not.toContain('POST /api/objects/upload');
  });

  test('[4.40] goes on after a pause with what has not arrived', async () => {
    const transfers = serveStorage(200, 'never');
    const arrived = { body: [{ PartNumber: 1, ETag: '"e1"', Size: part }] };
    const { calls, uploader, photo } = upload({ [`GET ${multipart}/m%201`]: arrived });
    const uploaded = uploader.upload();
    await waitFor(() => expect(transfers).toHaveLength(2));
    uploader.pauseAll();
    await waitFor(() => expect(transfers).toHaveLength(2));
    uploader.resumeAll();
    await uploaded;
    await photo;
    expect(transfers.map(({ url }) => url).slice(2)).toEqual([parts[1]]);
    expect(pathsOf(calls).some((path) => path.startsWith(`GET ${multipart}/m%201?key=`))).toBe(true);
  });

  test('[4.43] that is given up is thrown away at the server too', async () => {
    serveStorage('never', 'never');
    const { calls, uploader } = upload();
    void uploader.upload();
    await waitFor(() => expect(pathsOf(calls).some((path) => path.includes('/m%201/2'))).toBe(true));
    uploader.cancelAll();
    await waitFor(() => expect(calls.some(({ method }) => method === 'DELETE')).toBe(true));
  });
});
