import { partedUploadSchema } from '@caravan/contracts/http/companion';
import { operations } from '@caravan/contracts/http/operations';
import { registeredPhotoSchema, startedUploadSchema } from '@caravan/contracts/http/photos';
import type { RegisteredPhoto } from '@caravan/contracts/http/photos';
import { send, type Sender } from './send.ts';

/** One pixel. */
const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** Sent and not registered: its address. */
export async function sentPhoto(by: Sender): Promise<string> {
  const { uploadURL } = startedUploadSchema.parse((await send(operations.startUpload, { body: {} }, by)).json);
  const { status } = await fetch(uploadURL, { method: 'PUT', body: picture });
  if (status !== 200) throw new Error(`a file was answered ${status}`);
  return uploadURL;
}

export async function ownPhoto(by: Sender, alt?: string): Promise<RegisteredPhoto> {
  const body = { photoURL: await sentPhoto(by), alt };
  return registeredPhotoSchema.parse((await send(operations.registerPhoto, { body }, by)).json);
}

export const photoIdIn = (objectPath: string): string => objectPath.split('/').at(-1) ?? '';

export const aboutPicture = { filename: 'a.png', type: 'image/png' };

export type PartedUpload = { readonly key: string; readonly uploadId: string };

/** Begun, and no part of it sent. */
export async function partedUpload(by: Sender): Promise<PartedUpload> {
  return partedUploadSchema.parse((await send(operations.beginPartedUpload, { body: aboutPicture }, by)).json);
}
