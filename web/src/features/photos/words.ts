import type { I18n, MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';

/** What Uppy fills in by itself. */
const placeholderOf = (name: string) => `%{${name}}`;
const count = placeholderOf('smart_count');
const file = placeholderOf('file');
const size = placeholderOf('size');
const types = placeholderOf('types');
const fileName = placeholderOf('fileName');
const total = placeholderOf('total');
const time = placeholderOf('time');
const sizeAllowed = placeholderOf('sizeAllowed');
const complete = placeholderOf('complete');
const fields = placeholderOf('fields');
const browse = placeholderOf('browseFiles');

type Words = Record<string, MessageDescriptor | readonly [one: MessageDescriptor, many: MessageDescriptor]>;

const choosing: Words = {
  dashboardTitle: msg`Photo upload`,
  dropHint: msg`Drop your photo here`,
  myDevice: msg`My Device`,
  dropPasteFiles: msg`Drop a photo here or ${browse}`,
  dropPasteImportFiles: msg`Drop a photo here, ${browse} or import from:`,
  importFiles: msg`Import a photo from:`,
  importFrom: msg`Import from ${placeholderOf('name')}`,
  browseFiles: msg`browse files`,
  takePictureBtn: msg`Take Picture`,
  back: msg`Back`,
  addMore: msg`Add more`,
  addMoreFiles: msg`Add more files`,
  addingMoreFiles: msg`Adding more files`,
};

/** Nothing can be dropped with a finger. */
const choosingByTouch: Words = {
  dropPasteFiles: msg`Choose a photo: ${browse}`,
  dropPasteImportFiles: msg`Choose a photo: ${browse}, or import from:`,
};

const camera: Words = {
  pluginNameCamera: msg`Camera`,
  noCameraTitle: msg`Camera Not Available`,
  noCameraDescription: msg`In order to take pictures, please connect a camera device`,
  submitRecordedFile: msg`Use this picture`,
  discardRecordedFile: msg`Take another picture`,
  takePicture: msg`Take a picture`,
  allowAccessTitle: msg`Please allow access to your camera`,
  allowAccessDescription: msg`In order to take pictures with your camera, please allow camera access for this site.`,
};

const otherSites: Words = {
  pluginNameUrl: msg`Link`,
  import: msg`Import`,
  enterUrlToImport: msg`Address of a photo: https://…`,
  failedToFetch: msg`The photo was not fetched`,
  enterCorrectUrl: msg`Give the address of a photo, which begins with https://`,
};

const chosen: Words = {
  xFilesSelected: [msg`${count} file selected`, msg`${count} files selected`],
  uploadingXFiles: [msg`Uploading ${count} file`, msg`Uploading ${count} files`],
  processingXFiles: [msg`Processing ${count} file`, msg`Processing ${count} files`],
  removeFile: msg`Remove file`,
  editFile: msg`Edit file`,
  editFileWithFilename: msg`Describe ${file}`,
  editing: msg`Describe ${file}`,
  finishEditingFile: msg`Finish editing file`,
  saveChanges: msg`Save changes`,
  save: msg`Save`,
  cancel: msg`Cancel`,
  sessionRestored: msg`Session restored`,
  recoveredAllFiles: msg`We restored all files. You can now resume the upload.`,
  recoveredXFiles: [
    msg`We could not fully recover 1 file. Please re-select it and resume the upload.`,
    msg`We could not fully recover ${count} files. Please re-select them and resume the upload.`,
  ],
  reSelect: msg`Re-select`,
};

const uploading: Words = {
  uploading: msg`Uploading`,
  complete: msg`Complete`,
  uploadFailed: msg`Upload failed`,
  paused: msg`Paused`,
  error: msg`Error`,
  retry: msg`Retry`,
  pause: msg`Pause`,
  resume: msg`Resume`,
  done: msg`Done`,
  upload: msg`Upload`,
  uploadXFiles: [msg`Upload ${count} file`, msg`Upload ${count} files`],
  uploadXNewFiles: [msg`Upload +${count} file`, msg`Upload +${count} files`],
  filesUploadedOfTotal: [msg`${complete} of ${count} file uploaded`, msg`${complete} of ${count} files uploaded`],
  dataUploadedOfTotal: msg`${complete} of ${total}`,
  dataUploadedOfUnknown: msg`${complete} of unknown`,
  xTimeLeft: msg`${time} left`,
  showErrorDetails: msg`Show error details`,
  uploadComplete: msg`Upload complete`,
  uploadPaused: msg`Upload paused`,
  resumeUpload: msg`Resume upload`,
  pauseUpload: msg`Pause upload`,
  retryUpload: msg`Retry upload`,
  cancelUpload: msg`Cancel upload`,
};

const refusing: Words = {
  youCanOnlyUploadX: [msg`You can only upload ${count} file`, msg`You can only upload ${count} files`],
  exceedsSize: msg`${file} exceeds maximum allowed size of ${size}`,
  aggregateExceedsSize: msg`You selected ${size} of files, but maximum allowed size is ${sizeAllowed}`,
  inferiorSize: msg`This file is smaller than the allowed size of ${size}`,
  youCanOnlyUploadFileTypes: msg`You can only upload: ${types}`,
  noMoreFilesAllowed: msg`Cannot add more files`,
  noDuplicates: msg`Cannot add the duplicate file “${fileName}”, it already exists`,
  missingRequiredMetaField: msg`Missing required meta fields`,
  missingRequiredMetaFieldOnFile: msg`Missing required meta fields in ${fileName}`,
  missingRequiredMetaFields: [
    msg`Missing required meta field: ${fields}.`,
    msg`Missing required meta fields: ${fields}.`,
  ],
  additionalRestrictionsFailed: msg`${placeholderOf('count')} additional restrictions were not fulfilled`,
  failedToUpload: msg`Failed to upload ${file}`,
  noInternetConnection: msg`No Internet connection`,
  connectedToInternet: msg`Connected to the Internet`,
  pleaseWait: msg`Please wait`,
  unnamed: msg`Unnamed`,
};

/** The panel in this language; what is not here it says in English. */
export function panelStrings(i18n: I18n) {
  const problemText = (words: Words) =>
    Object.fromEntries(
      Object.entries(words).map(([key, word]) => [
        key,
        word instanceof Array ? { 0: i18n._(word[0]), 1: i18n._(word[1]) } : i18n._(word),
      ]),
    );
  const isTouched = matchMedia('(pointer: coarse)').matches;
  return problemText({
    ...choosing,
    ...(isTouched && choosingByTouch),
    ...camera,
    ...otherSites,
    ...chosen,
    ...uploading,
    ...refusing,
  });
}

/** What the panel says that Uppy does not. */
export const panelWords = {
  heic: msg`HEIC photos cannot be read here. Please choose a JPEG, PNG, WebP, GIF or AVIF file.`,
  vector: msg`Vector graphics (SVG) are not photos. Please choose a JPEG, PNG, WebP, GIF or AVIF file.`,
  empty: msg`This file is empty`,
  alt: msg`Alt text`,
  altHint: msg`What is to be seen, for those who do not see it`,
  note: msg`One photo: JPEG, PNG, WebP, GIF or AVIF, 10 MB at most`,
  processing: msg`Processing your photo`,
  refused: msg`Failed to process uploaded photo. Please try again.`,
} as const;

export const stalledWord = (seconds: number): MessageDescriptor =>
  msg`Upload has not made any progress for ${seconds} seconds. You may want to retry it.`;
