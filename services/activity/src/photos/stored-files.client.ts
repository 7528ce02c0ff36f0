import { mostPhotoBytes, photoWords } from '@caravan/contracts/http/photos';
import { Rejected } from '@caravan/kernel/rejected';
import { Unanswered } from '@caravan/service-kit/process/dependency';
import { ImageRefused } from '@caravan/service-kit/media/image-worker';
import type { Picture } from '@caravan/service-kit/media/images';
import { ObjectStorage } from '@caravan/service-kit/storage/objects';
import { type PhotoSize, photoSizes } from '@caravan/service-kit/storage/photo-address';
import { Inject, Injectable } from '@nestjs/common';
import { photoKey, type PhotoRef } from './photo.ts';

export const uploadSeconds = 600;
const readMilliseconds = 10_000;

/** Objects of photos. Throws `Rejected` (503) while the storage is away. */
@Injectable()
export class StoredFiles {
  constructor(@Inject(ObjectStorage) private readonly objects: ObjectStorage) {}

  /** Asks nobody. */
  uploadUrl(key: string, sizeBytes: number | undefined): Promise<string> {
    return this.objects.presignUpload(key, { expiresInSeconds: uploadSeconds, sizeBytes });
  }

  /** Without what signs it: by that a file is named when it has arrived. */
  async addressOf(key: string): Promise<string> {
    const { origin, pathname } = new URL(await this.uploadUrl(key, undefined));
    return `${origin}${pathname}`;
  }

  async isAddressOf(key: string, address: string): Promise<boolean> {
    return (await this.addressOf(key)) === address;
  }

  /** A file that did not come from a browser. */
  async receive(key: string, content: Buffer, type: string): Promise<void> {
    await this.objects.put(key, content, type);
  }

  async sizeOf(key: string): Promise<number> {
    const found = await this.objects.stat(key);
    if (!found) throw notArrived();
    return found.sizeBytes;
  }

  /** No more of it than a photo may have. Throws `ImageRefused`. */
  async read(key: string): Promise<Buffer> {
    const stream = await this.objects.get(key);
    if (!stream) throw notArrived();
    const late = setTimeout(() => stream.destroy(new Unanswered('objects')), readMilliseconds);
    const chunks: Buffer[] = [];
    let bytes = 0;
    try {
      for await (const chunk of stream as AsyncIterable<Buffer>) {
        bytes += chunk.length;
        if (bytes > mostPhotoBytes) throw new ImageRefused('too-many-bytes');
        chunks.push(chunk);
      }
      return Buffer.concat(chunks);
    } finally {
      clearTimeout(late);
      stream.destroy();
    }
  }

  async keep(photo: PhotoRef, size: PhotoSize, { bytes }: Picture): Promise<void> {
    await this.objects.put(photoKey(photo, size), Buffer.from(bytes), 'image/webp');
  }

  remove(key: string): Promise<void> {
    return this.objects.remove(key);
  }

  /** With the parts that have arrived of it. */
  async removeUpload(key: string, multipartId: string | null): Promise<void> {
    if (multipartId !== null) await this.objects.abort(key, multipartId);
    await this.objects.remove(key);
  }

  async removePhoto(photo: PhotoRef): Promise<void> {
    await Promise.all(photoSizes.map((size) => this.objects.remove(photoKey(photo, size))));
  }
}

const notArrived = () => new Rejected('photo/not-arrived', 'not-found', photoWords.notArrived);
