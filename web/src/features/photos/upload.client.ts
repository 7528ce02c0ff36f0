import AwsS3 from '@uppy/aws-s3';
import Uppy, { type Body, RestrictionError, type UppyFile } from '@uppy/core';
import GoldenRetriever from '@uppy/golden-retriever';
import type { I18n, MessageDescriptor } from '@lingui/core';
import { HttpError, serverMessage } from '../../lib/http-error.ts';
import { isExpired, persistently } from '../../lib/persistent.ts';
import type { FormPhoto } from '../../lib/photos.ts';
import { photoOf, startUpload } from './api.ts';
import { isHeic, isVectorFile, mostBytes, mostFiles, partedFromBytes, photoTypes } from './limits.ts';
import { partedCalls, type PhotoMeta } from './parted-upload.client.ts';
import { panelStrings, panelWords, stalledWord } from './words.ts';

const stalledSeconds = 30;
/** Long enough to read 'Complete'. */
const showCompleteMilliseconds = 1200;

type Photo = UppyFile<PhotoMeta, Body>;
export type Uploader = Uppy<PhotoMeta, Body>;

export type UploadEnd = {
  /** The photo is the server's now. */
  onPhoto: (photo: FormPhoto) => void;
  /** It arrived, and the server could not make a photo of it. */
  onRefused: () => void;
  onDone: () => void;
};

/** What goes wrong unseen, such as a small picture of the photo, is only logged; what is refused the panel says. */
function log(what: unknown): void {
  if (typeof what === 'object' && what !== null && 'isRestriction' in what) return;
  // eslint-disable-next-line no-console -- The specification wants it logged, and only that.
  console.warn(`Photo upload: ${what instanceof Error ? what.message : String(what)}`);
}

/** One photo at a time, from its choice to its registration. @param id what a reload finds again */
export function createUploader(id: string, i18n: I18n, partedFrom = partedFromBytes): Uploader {
  const uploader: Uploader = new Uppy<PhotoMeta, Body>({
    id,
    logger: { debug: () => undefined, warn: log, error: log },
    allowMultipleUploadBatches: false,
    restrictions: { maxFileSize: mostBytes, maxNumberOfFiles: mostFiles, allowedFileTypes: photoTypes },
    locale: { strings: panelStrings(i18n), pluralize: (count) => (count === 1 ? 0 : 1) },
    onBeforeFileAdded: (file) => {
      const word = refusalOf(file);
      // What is thrown is told with all other reasons: the first four of them, and how many more (8.16).
      if (word) throw new RestrictionError(i18n._(word), { file });
      return true;
    },
  });
  uploader.use(AwsS3<PhotoMeta, Body>, {
    shouldUseMultipart: ({ size }) => (size ?? 0) > partedFrom,
    ...partedCalls((error) => inWords(uploader, error)),
    getUploadParameters: async (file, { signal = never }) => ({
      method: 'PUT',
      url: await askForAddress(uploader, file, signal),
      headers: { 'Content-Type': file.type },
    }),
    uploadPartBytes: (transfer) => sendPersistently(uploader, i18n, transfer),
  });
  // The earlier failure no longer holds.
  uploader.on('upload-success', () => {
    while (uploader.getState().info.length > 0) uploader.hideInfo();
  });
  // Where a browser keeps no files, an upload does not survive a reload.
  if ('indexedDB' in globalThis) uploader.use(GoldenRetriever<PhotoMeta, Body>);
  return uploader;
}

function refusalOf(file: Photo): MessageDescriptor | null {
  if (isHeic(file)) return panelWords.heic;
  if (isVectorFile(file)) return panelWords.vector;
  return file.size === 0 ? panelWords.empty : null;
}

const never = new AbortController().signal;

/** Asks where the photo may be sent, and remembers that with it. */
async function askForAddress(uploader: Uploader, file: Photo, signal: AbortSignal): Promise<string> {
  try {
    const { uploadURL } = await persistently(() => startUpload(signal), signal);
    uploader.setFileMeta(file.id, { photoURL: uploadURL.replace(/\?.*$/, '') });
    return uploadURL;
  } catch (error) {
    throw inWords(uploader, error);
  }
}

type Transfer = Parameters<typeof AwsS3.uploadPartBytes>[0];

/** Uppy tries parts again, and only those. An address that has expired is replaced (8.15). */
async function sendPersistently(uploader: Uploader, i18n: I18n, transfer: Transfer) {
  const signal = transfer.signal ?? never;
  const watch = new StallWatch(() => {
    const message = i18n._(stalledWord(stalledSeconds));
    uploader.emit('upload-stalled', new Error(message), uploader.getFiles());
  });
  let { url } = transfer.signature;
  const isPart = uploader.getFiles().some((file) => 's3Multipart' in file && isBegun(file.s3Multipart));
  const send = async () => {
    try {
      return await AwsS3.uploadPartBytes({
        ...transfer,
        signature: { ...transfer.signature, url },
        onProgress: (progress: unknown) => {
          watch.recordProgress();
          (transfer.onProgress as (progress: unknown) => void)(progress);
        },
      });
    } catch (error) {
      const [file] = uploader.getFiles();
      if (!isPart && isExpired(error) && file && !signal.aborted) url = await askForAddress(uploader, file, signal);
      throw error;
    }
  };
  try {
    watch.recordProgress();
    return await (isPart ? send() : persistently(send, signal));
  } catch (error) {
    throw isPart ? error : inWords(uploader, error);
  } finally {
    watch.end();
  }
}

const isBegun = (parted: unknown): boolean =>
  typeof parted === 'object' && parted !== null && 'uploadId' in parted && parted.uploadId !== undefined;

/** Warns when nothing has moved for a while. */
class StallWatch {
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly onStalled: () => void;

  constructor(onStalled: () => void) {
    this.onStalled = onStalled;
  }

  recordProgress(): void {
    this.end();
    this.timer = setTimeout(this.onStalled, stalledSeconds * 1000);
  }

  end(): void {
    clearTimeout(this.timer);
  }
}

/** What the server says to people stands in the notification bar, and behind the sign of what failed (8.15). */
export function inWords(uploader: Uploader, error: unknown): unknown {
  const message = error instanceof HttpError ? serverMessage(error, '') : messageOfTransfer(error);
  if (message === '') return error;
  uploader.info(message, 'error', uploader.opts.infoTimeout);
  return Object.assign(new Error(message), { cause: error });
}

function messageOfTransfer(error: unknown): string {
  if (!(error instanceof Error && 'source' in error)) return '';
  const { status = 0, responseText = '' } = error.source as Partial<XMLHttpRequest>;
  try {
    const { message } = JSON.parse(responseText) as { message?: unknown };
    return status >= 400 && typeof message === 'string' ? message : '';
  } catch {
    return '';
  }
}

/** What came in parts or from another site lies where the server says. */
function sentAs({ meta, uploadURL }: Photo): PhotoMeta {
  const photoURL = meta.photoURL ?? uploadURL;
  return { ...meta, ...(photoURL !== undefined && { photoURL }) };
}

/** What has arrived becomes a photo (7.19); only then is the upload complete. */
export function registerWhenUploaded(
  uploader: Uploader,
  i18n: I18n,
  { onPhoto, onRefused, onDone }: UploadEnd,
): () => void {
  const stop = new AbortController();
  let photo: FormPhoto | undefined;
  const register = async (file: Photo) => {
    uploader.emit('postprocess-progress', file, { mode: 'indeterminate', message: i18n._(panelWords.processing) });
    try {
      photo = await persistently(() => photoOf(sentAs(file), stop.signal), stop.signal);
      uploader.emit('postprocess-complete', file);
    } catch (error) {
      if (stop.signal.aborted) return;
      const refused = inWords(uploader, error);
      uploader.emit('upload-error', file, refused instanceof Error ? refused : new Error(i18n._(panelWords.refused)));
      onRefused();
    }
  };
  uploader.addPostProcessor(async (ids) => {
    for (const file of uploader.getFiles())
      if (ids.includes(file.id) && !file.error && file.progress.uploadComplete) await register(file);
  });
  let closing: ReturnType<typeof setTimeout> | undefined;
  uploader.on('complete', ({ successful = [] }) => {
    const [file] = successful;
    if (!file || !photo) return;
    onPhoto(photo);
    closing = setTimeout(onDone, showCompleteMilliseconds);
  });
  return () => {
    stop.abort();
    clearTimeout(closing);
  };
}
