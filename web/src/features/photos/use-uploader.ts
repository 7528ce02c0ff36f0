import type { Body } from '@uppy/core';
import Dashboard from '@uppy/dashboard';
import Webcam from '@uppy/webcam';
import type { I18n } from '@lingui/core';
import { useLingui } from '@lingui/react';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { fitText } from '../../lib/counted-input.ts';
import { photoSources } from './api.ts';
import { waitForFrame } from './camera.client.ts';
import { longestAlt, panelSize } from './limits.ts';
import type { PhotoMeta } from './parted-upload.client.ts';
import { createUploader, registerWhenUploaded, type UploadEnd, type Uploader } from './upload.client.ts';
import { panelWords } from './words.ts';

/**
 * The upload panel in that element, until it leaves the page; then nothing of an unfinished upload is left. Returns what
 * happens, for those who cannot see it.
 */
export function useUploader(
  place: RefObject<HTMLDivElement | null>,
  { id, file, ...end }: { id: string; file?: File | undefined } & UploadEnd,
): string {
  const { i18n } = useLingui();
  const [status, setStatus] = useState('');
  const latest = useRef(end);
  useEffect(() => void (latest.current = end));
  useEffect(() => {
    if (!place.current) return undefined;
    const uploader = createUploader(id, i18n);
    const dashboard = addPanel(uploader, place.current, i18n);
    sayStatus(uploader, setStatus);
    const stop = registerWhenUploaded(uploader, i18n, {
      onPhoto: (photo) => latest.current.onPhoto(photo),
      onRefused: () => latest.current.onRefused(),
      onDone: () => latest.current.onDone(),
    });
    if (file) addFile(uploader, file);
    const closed = new AbortController();
    void addOtherSources(uploader, closed.signal);
    return () => {
      stop();
      closed.abort();
      dashboard.hideAllPanels();
      // Not before it has drawn that: it would draw the camera or the link once more, and they are gone by then.
      queueMicrotask(() => {
        uploader.destroy();
        // It would take the focus a moment later, from whatever has it then.
        dashboard.superFocus.cancel();
      });
    };
    // eslint-disable-next-line react-hooks/exhaustive-deps -- The panel is opened anew for another photo.
  }, []);
  return status;
}

/** The states of 4.40 in words; what fails the notification bar says. */
function sayStatus(uploader: Uploader, say: (status: string) => void): void {
  const { i18n } = uploader;
  uploader.on('file-added', () => say(i18n('xFilesSelected', { smart_count: 1 })));
  uploader.on('upload', () => {
    say(i18n('uploading'));
    entitle(uploader, 'uploadComplete');
  });
  uploader.on('pause-all', () => say(i18n('paused')));
  uploader.on('resume-all', () => say(i18n('uploading')));
  uploader.on('upload-pause', (_file, isPaused) => say(i18n(isPaused ? 'paused' : 'uploading')));
  uploader.on('postprocess-progress', (_file, { message }) => say(message ?? ''));
  // Told of what failed there, too.
  uploader.on('postprocess-complete', (file) => {
    const isFailed = uploader.getFiles().some(({ id, error }) => id === file?.id && Boolean(error));
    const outcome = isFailed ? 'uploadFailed' : 'uploadComplete';
    say(i18n(outcome));
    entitle(uploader, outcome);
  });
  uploader.on('upload-error', () => say(i18n('uploadFailed')));
  uploader.on('cancel-all', () => say(''));
  uploader.on('file-removed', () => say(''));
}

/** Of a file that has arrived and is no photo Uppy's own title would say that all of it is complete. */
function entitle(uploader: Uploader, outcome: 'uploadComplete' | 'uploadFailed'): void {
  const strings = { uploadComplete: uploader.i18n(outcome) };
  uploader.getPlugin('Dashboard')?.setOptions({ locale: { strings } });
}

/** Uppy draws a single photo as an item of no list. */
function nameList(target: HTMLElement): void {
  const name = () => target.querySelector('.uppy-Dashboard-files:not([role])')?.setAttribute('role', 'list');
  new MutationObserver(name).observe(target, { childList: true, subtree: true });
}

/** What Uppy's panel has of its own. */
type Opened = { superFocus: { cancel: () => void }; hideAllPanels: () => void };

const altFieldId = 'uppy-Dashboard-FileCard-input-alt';

/** Puts the panel into an element of the page. */
export function addPanel(uploader: Uploader, target: HTMLElement, i18n: I18n): Opened {
  nameList(target);
  // The panel saves what it drew last: without this, a letter typed just before Enter would be lost.
  const saveAsTyped = ({ target: form }: Event) => {
    const { fileCardFor } = uploader.getState().plugins['Dashboard'] as { fileCardFor: string | null };
    const field = (form as HTMLFormElement).elements.namedItem(altFieldId) as HTMLInputElement;
    if (fileCardFor !== null) queueMicrotask(() => uploader.setFileMeta(fileCardFor, { alt: field.value }));
  };
  uploader
    .use(Dashboard<PhotoMeta, Body>, {
      target,
      inline: true,
      ...panelSize,
      proudlyDisplayPoweredByUppy: false,
      note: i18n._(panelWords.note),
      metaFields: [
        {
          id: 'alt',
          name: i18n._(panelWords.alt),
          render: ({ value, onChange, fieldCSSClasses, form }, h) =>
            h('input', {
              type: 'text',
              class: fieldCSSClasses.text,
              id: altFieldId,
              form,
              value,
              dir: 'auto',
              placeholder: i18n._(panelWords.altHint),
              'data-uppy-super-focusable': true,
              onInput: ({ target: field }: { target: HTMLInputElement }) => {
                fitText(field, longestAlt);
                onChange(field.value);
                field.form?.addEventListener('submit', saveAsTyped);
              },
            }),
        },
      ],
      doneButtonHandler: null,
    })
    .use(Webcam<PhotoMeta, Body>, {
      modes: ['picture'],
      onBeforeSnapshot: () => waitForFrame(target.querySelector<HTMLVideoElement>('.uppy-Webcam-video')),
    });
  return uploader.getPlugin('Dashboard') as unknown as Opened;
}

/** Where the instance fetches photos from other sites; their code is fetched only then. */
async function addOtherSources(uploader: Uploader, closed: AbortSignal): Promise<void> {
  try {
    const { link = false } = await photoSources(closed);
    if (!link) return;
    const { addLinkSource } = await import('./link-source.client.ts');
    if (!closed.aborted) addLinkSource(uploader);
  } catch {
    // The panel has the device and the camera.
  }
}

function addFile(uploader: Uploader, file: File): void {
  try {
    uploader.addFile({ name: file.name, type: file.type, data: file, source: 'Camera' });
  } catch {
    // The panel says why it does not take it.
  }
}
