import { registeredPhotoSchema, startedUploadSchema } from '@caravan/contracts/http/photos';
import type { RegisteredPhoto } from '@caravan/contracts/http/photos';
import { ObjectStorage, objectSettingsOf } from '@caravan/service-kit/storage/objects';
import type { ApiClient } from '@caravan/service-kit/testing/api-client';
import { passedOn } from '@caravan/service-kit/testing/passed-on';
import sharp from 'sharp';
import type { ActivityUnderTest } from './activity-under-test.ts';

/** A picture as a phone takes it: with the place in it. */
export const photoOf = (width = 1600, height = 1200): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: { r: 60, g: 120, b: 40 } } })
    .withExif({ IFD0: { Copyright: 'Canary' }, IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '50/1 56/1 0/1' } })
    .jpeg()
    .toBuffer();

/** What a browser does with photos of one person; uploads go to the storage as the gateway passes them on. */
export function photosOf(activity: ActivityUnderTest, api: ApiClient) {
  const objects = activity.app.get<ObjectStorage>(ObjectStorage);
  const storage = objectSettingsOf(activity.env);
  const put = (address: string, file: Buffer) =>
    fetch(passedOn(address, storage), { method: 'PUT', body: new Uint8Array(file) });
  const start = async (asked: object = {}): Promise<string> => {
    const { status, body } = await api.post('/api/objects/upload', asked);
    if (status !== 200) throw new Error(`an upload was answered ${status}: ${JSON.stringify(body)}`);
    return startedUploadSchema.parse(body).uploadURL;
  };
  const send = async (file: Buffer | Promise<Buffer>): Promise<string> => {
    const address = await start();
    const { status } = await put(address, await file);
    if (status !== 200) throw new Error(`the storage answered ${status}`);
    return address;
  };
  const register = (photoURL: string, more: object = {}) => api.put('/api/workout-photos', { photoURL, ...more });
  return {
    start,
    put,
    send,
    register,
    photo: async (more: object = {}): Promise<RegisteredPhoto> =>
      registeredPhotoSchema.strict().parse((await register(await send(photoOf()), more)).body),
    /** As an `<img>` asks. */
    see: (address: string) => fetch(`${activity.url}${address}`),
    keysBelow: (prefix: string) => objects.list(prefix),
    storedObject: async (key: string): Promise<Buffer | undefined> => {
      const stream = await objects.get(key);
      return stream ? Buffer.concat(await stream.toArray()) : undefined;
    },
  };
}
