import { randomUUID } from '@caravan/contracts/testing/seeded';
import { i18n } from '@lingui/core';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Api, pathsOf, serveApi, signedInAs } from '../../testing/app.tsx';
import { drawPictures } from './testing/pictures.ts';
import { serveStorage } from './testing/transfers.ts';
import { createUploader, type Uploader } from './upload.client.ts';
import { addPanel } from './use-uploader.ts';

const server: Api = {
  'POST /api/objects/upload': { body: { uploadURL: 'http://localhost:3000/objects/incoming/o1/u1/f1?s=1' } },
};
const anything = { maxFileSize: null, maxNumberOfFiles: null, allowedFileTypes: null };

let uploader: Uploader;
let calls: Request[];
beforeEach(() => {
  signedInAs();
  calls = serveApi(server);
  uploader = createUploader(randomUUID(), i18n);
});
afterEach(() => {
  uploader.destroy();
  vi.useRealTimers();
});

/** A file that is as large as is said. */
function add(name = 'lake.jpg', type = 'image/jpeg', size?: number): string {
  const data = new File(['pixels'], name, { type });
  if (size !== undefined) Object.defineProperty(data, 'size', { value: size });
  return uploader.addFile({ name, type, data });
}
const hold = (rules: object) => uploader.setOptions({ restrictions: { ...uploader.opts.restrictions, ...rules } });
const toldMessages = () => uploader.getState().info.map(({ message }) => message);
const generatorOf = (of: Uploader) => of.getPlugin('Dashboard:ThumbnailGenerator');
const openPanel = () => addPanel(uploader, document.body.appendChild(document.createElement('div')), i18n);

describe('an upload that has begun', () => {
  test('[4.44 5.12] lets no other begin and takes no other file, unless several batches are enabled', async () => {
    const transfers = serveStorage('never', 'never');
    hold(anything);
    add();
    void uploader.upload();
    await waitFor(() => expect(transfers).toHaveLength(1));
    expect(() => add('hill.jpg')).toThrow('Cannot add more files');
    await expect(uploader.upload()).rejects.toThrow('already uploading');
    uploader.cancelAll();
    uploader.setOptions({ allowMultipleUploadBatches: true });
    add();
    void uploader.upload();
    await waitFor(() => expect(transfers).toHaveLength(2));
    add('hill.jpg');
    void uploader.upload();
    await waitFor(() => expect(transfers).toHaveLength(3));
  });

  test('[4.44] lets another one begin once it was cancelled', async () => {
    const transfers = serveStorage('never', 'never');
    for (const nth of [1, 2]) {
      add();
      void uploader.upload();
      await waitFor(() => expect(transfers).toHaveLength(nth));
      uploader.cancelAll();
    }
  });
});

describe('an upload that arrives after all', () => {
  test('[8.15] takes away what was said of the failure before', () => {
    const file = uploader.getFile(add());
    uploader.info('Failed to upload lake.jpg', 'error');
    expect(toldMessages()).toEqual(['Failed to upload lake.jpg']);
    uploader.emit('upload-success', file, { status: 200 });
    expect(toldMessages()).toEqual([]);
  });
});

describe('what is not taken', () => {
  test('[5.11 9.27] each restriction holds where it is set, and none but size, number and types is', async () => {
    const { maxFileSize, maxNumberOfFiles, allowedFileTypes, ...others } = uploader.opts.restrictions;
    expect([maxFileSize, maxNumberOfFiles, allowedFileTypes?.length]).toEqual([10_485_760, 1, 5]);
    expect(others).toEqual({
      minFileSize: null,
      maxTotalFileSize: null,
      minNumberOfFiles: null,
      requiredMetaFields: [],
    });
    const refusals: readonly (readonly [rules: object, words: string])[] = [
      [{ maxFileSize: 1536 }, 'lake.jpg exceeds maximum allowed size of 1.5 KB'],
      [{ minFileSize: 4096 }, 'This file is smaller than the allowed size of 4 KB'],
      [{ maxTotalFileSize: 1024 }, 'You selected 2 KB of files, but maximum allowed size is 1 KB'],
      [{ allowedFileTypes: ['video/*', '.png'] }, 'You can only upload: video/*, .png'],
    ];
    for (const [rules, words] of refusals) {
      hold({ ...anything, minFileSize: null, maxTotalFileSize: null, ...rules });
      expect(() => add('lake.jpg', 'image/jpeg', 2048)).toThrow(words);
    }
    hold({ ...anything, maxTotalFileSize: null, allowedFileTypes: ['image/*', '.heif'], maxNumberOfFiles: 2 });
    for (const [name, type] of [
      ['lake.jpg', 'image/jpeg'],
      ['lake.heif.png', 'image/png'],
    ] as const)
      add(name, type);
    expect(() => add('hill.png', 'image/png')).toThrow('You can only upload 2 files');
    hold({ ...anything, minNumberOfFiles: 3 });
    await expect(uploader.upload()).rejects.toThrow('You have to select at least 3 files');
  });

  test('[5.13] an upload without the words that it needs, or that a look before it refuses, never begins', async () => {
    const transfers = serveStorage();
    hold({ requiredMetaFields: ['alt'] });
    const id = add();
    await expect(uploader.upload()).rejects.toThrow('Missing required meta fields');
    expect(uploader.getFile(id)).toMatchObject({
      error: 'Missing required meta fields in lake.jpg',
      missingRequiredMetaFields: ['alt'],
    });
    uploader.cancelAll();
    hold({ requiredMetaFields: [] });
    uploader.setOptions({ onBeforeUpload: () => false });
    add();
    await expect(uploader.upload()).rejects.toThrow('onBeforeUpload returned false');
    expect([transfers, pathsOf(calls)]).toEqual([[], []]);
    uploader.setOptions({ onBeforeUpload: (files) => files });
    void uploader.upload();
    await waitFor(() => expect(transfers).toHaveLength(1));
  });

  test('[8.16] the notification bar lists the first four reasons, and counts the rest', async () => {
    openPanel();
    const names = ['lake.heic', 'lake.svg', 'notes.txt', 'empty.jpg', 'hill.heic', 'talk.mp3', 'hill.svg'];
    const types = ['image/heic', 'image/svg+xml', 'text/plain', 'image/jpeg', '', 'audio/mpeg', ''];
    uploader.addFiles(
      names.map((name, nth) => {
        const type = types[nth] ?? '';
        return { name, type, data: new File(name === 'empty.jpg' ? [] : ['x'], name, { type }) };
      }),
    );
    expect(toldMessages().slice(0, 4)).toEqual([
      expect.stringMatching(/^HEIC photos cannot be read/),
      expect.stringMatching(/^Vector graphics/),
      expect.stringMatching(/^You can only upload: image\/jpeg/),
      'This file is empty',
    ]);
    expect(toldMessages().slice(4)).toEqual(['3 additional restrictions were not fulfilled']);
    const bar = () => document.querySelector('.uppy-Informer')?.querySelectorAll('[role=alert]') ?? [];
    const shownBars = () => [...bar()].map(({ textContent }) => textContent.trim());
    await waitFor(() => expect(shownBars()).toEqual(toldMessages()));
    expect(uploader.getFiles()).toEqual([]);
  });
});

describe('the small picture of a photo', () => {
  const shown = ['jpeg', 'jpg', 'gif', 'png', 'svg+xml', 'bmp', 'webp', 'avif'];

  test('[5.14 9.26] is drawn of the eight kinds that browsers show, 280 pixels wide, and of nothing else', async () => {
    const drawn = drawPictures();
    hold(anything);
    uploader.setOptions({ onBeforeFileAdded: () => true });
    openPanel();
    // With a second file, so that none is the only one, which is drawn larger.
    add('notes.txt', 'text/plain');
    await waitFor(() => expect(generatorOf(uploader)?.opts).toMatchObject({ thumbnailWidth: 280 }));
    const others = ['image/heic', 'image/tiff', 'image/x-icon', 'video/mp4', 'application/pdf'];
    const left = others.map((type, nth) => add(`other-${nth}`, type));
    const ids = shown.map((type) => add(`lake.${type}`, `image/${type}`));
    await waitFor(() =>
      expect(ids.map((id) => uploader.getFile(id).preview)).toEqual(ids.map(() => expect.any(String))),
    );
    expect(left.map((id) => uploader.getFile(id).preview)).toEqual(others.map(() => undefined));
    expect(drawn).toEqual(shown.map(() => ({ wide: 280, type: 'image/jpeg' })));
  });

  test('[5.14] is not drawn of a file that lies on another site', async () => {
    const drawn = drawPictures();
    hold(anything);
    openPanel();
    const about = { name: 'far.jpg', type: 'image/jpeg', data: { size: 9 } };
    const remote = { companionUrl: '/companion', url: '/companion/url/get', body: {}, requestClientId: 'Url' };
    const far = uploader.addFile({ ...about, isRemote: true, remote } as Parameters<Uploader['addFile']>[0]);
    const near = add();
    await waitFor(() => expect(uploader.getFile(near).preview).toMatch(/^blob:/));
    expect([uploader.getFile(far).preview, drawn.length]).toEqual([undefined, 1]);
  });

  test('[8.18] that cannot be drawn is only logged: the photo stays, and nobody is told', async () => {
    const logged = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    const words = [
      'cannot read image, probably an svg with external resources',
      'could not extract blob, probably an old browser',
    ];
    drawPictures(false);
    openPanel();
    for (const word of words) {
      const id = add();
      await waitFor(() => expect(logged).toHaveBeenCalledWith(`Photo upload: ${word}`));
      expect([uploader.getFile(id).preview, toldMessages()]).toEqual([undefined, []]);
      expect(screen.getByRole('button', { name: 'Upload 1 file' })).toBeDefined();
      uploader.cancelAll();
      Object.assign(generatorOf(uploader) ?? {}, { createThumbnail: () => Promise.reject(new Error(words[1])) });
    }
  });

  test('[8.19] is drawn when it is looked at; to wait for it as well cannot be asked for', () => {
    openPanel();
    const generator = generatorOf(uploader);
    expect(generator?.opts).toMatchObject({ lazy: true, waitForThumbnailsBeforeUpload: false });
    const Generator = generator?.constructor as new (...built: unknown[]) => unknown;
    const both = { lazy: true, waitForThumbnailsBeforeUpload: true };
    expect(() => new Generator(uploader, both)).toThrow('mutually exclusive');
  });
});

describe('what is told', () => {
  test('[9.27] stays 5000 ms, and 3000 ms that the network is back', () => {
    vi.useFakeTimers();
    const isOnline = vi.spyOn(navigator, 'onLine', 'get');
    const lasts = (milliseconds: number) => {
      const words = toldMessages();
      vi.advanceTimersByTime(milliseconds - 1);
      expect([words.length, toldMessages()]).toEqual([1, words]);
      vi.advanceTimersByTime(1);
      expect(toldMessages()).toEqual([]);
      return words[0];
    };
    expect(() => add('notes.txt', 'text/plain')).toThrow('You can only upload');
    expect(lasts(5000)).toMatch(/^You can only upload/);
    expect(() => add('lake.heic', 'image/heic')).toThrow();
    expect(lasts(5000)).toMatch(/^HEIC photos/);
    isOnline.mockReturnValue(false);
    fireEvent(window, new Event('offline'));
    vi.advanceTimersByTime(1);
    isOnline.mockReturnValue(true);
    fireEvent(window, new Event('online'));
    expect(lasts(3000)).toBe('Connected to the Internet');
  });

  test('[9.27] how far an upload has come is told every 500 ms at most', () => {
    vi.useFakeTimers();
    const file = uploader.getFile(add());
    const heard: number[] = [];
    vi.advanceTimersByTime(1000);
    uploader.on('progress', () => heard.push(Date.now()));
    const begun = Date.now();
    for (let bytes = 0; bytes < 200; bytes += 1) {
      uploader.emit('upload-progress', file, { uploadStarted: begun, bytesUploaded: bytes, bytesTotal: 200 });
      vi.advanceTimersByTime(10);
    }
    const waits = heard.slice(1).map((at, nth) => at - (heard[nth] ?? 0));
    expect(waits).toEqual([500, 500, 500, 500]);
  });
});
