import type { Readable } from 'node:stream';
import { Rejected } from '@caravan/kernel/rejected';
import { ObjectStorage } from '@caravan/service-kit/storage/objects';
import { type AskedPhoto, PhotoAddresses } from '@caravan/service-kit/storage/photo-address';
import { Pool } from '@caravan/service-kit/storage/pool';
import { Inject, Injectable } from '@nestjs/common';
import { photoKey, servedSize } from './photo.ts';
import { registeredPhoto } from './served-photos.query.ts';

@Injectable()
export class ServedPhotos {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(ObjectStorage) private readonly objects: ObjectStorage,
    @Inject(PhotoAddresses) private readonly addresses: PhotoAddresses,
  ) {}

  /** The signed address is the permission (ADR 0057). Throws `Rejected`: forbidden, or not-found once the photo is gone. */
  async open(asked: AskedPhoto, now: Date): Promise<{ readonly picture: Readable; readonly seconds: number }> {
    const address = this.addresses.verify(asked, now);
    if (address.state !== 'valid') throw refusals[address.state]();
    const { orgId, size, expiresAt } = address;
    const { photoId } = asked;
    const photo = await registeredPhoto(this.pool, { orgId, photoId });
    const key = photo && photoKey({ orgId, photoId }, servedSize(size, photo, photo.hasSmaller));
    const picture = key === undefined ? null : await this.objects.get(key);
    if (!picture) throw new Rejected('photo/not-found', 'not-found', 'This photo is gone');
    return { picture, seconds: Math.floor((expiresAt.getTime() - now.getTime()) / 1_000) };
  }
}

const refusals = {
  expired: () => new Rejected('photo/expired', 'forbidden', 'This address has expired'),
  forged: () => new Rejected('photo/not-signed', 'forbidden', 'This address is not one of ours'),
};
