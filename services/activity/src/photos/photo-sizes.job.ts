import { withTenant } from '@caravan/event-store/postgres/connections';
import { HandlesJob } from '@caravan/service-kit/jobs/handles-job.decorator';
import { ImageWorker } from '@caravan/service-kit/media/image-worker';
import { defineJob } from '@caravan/service-kit/jobs/job';
import { objectsDependency } from '@caravan/service-kit/storage/objects';
import { Pool } from '@caravan/service-kit/storage/pool';
import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import { renditionOf, largestSize, photoKey, photoLimits, type PhotoRef, smallerSizesOf } from './photo.ts';
import { markSized, unsizedPixelsOf } from './photos.store.ts';
import { StoredFiles } from './stored-files.client.ts';

export const makePhotoSizes = defineJob({
  name: 'activity.make-photo-sizes',
  remadeBy: 'activity.clean-up-photos',
  data: z.object({ orgId: z.uuid(), photoId: z.uuid() }),
  concurrency: 1,
  needs: [objectsDependency.name],
});

/** For photos whose registration could not keep their smaller sizes. Repeating it is harmless: they have their names. */
@Injectable()
export class PhotoSizes {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(StoredFiles) private readonly files: StoredFiles,
    @Inject(ImageWorker) private readonly images: ImageWorker,
  ) {}

  @HandlesJob(makePhotoSizes)
  async make(photo: PhotoRef): Promise<void> {
    const pixels = await withTenant(this.pool, photo.orgId, (tx) => unsizedPixelsOf(tx, photo));
    if (!pixels) return;
    const sizes = smallerSizesOf(pixels);
    const largest = () => this.files.read(photoKey(photo, largestSize));
    const pictures = sizes.length > 0 ? await this.images.render(largest, sizes.map(renditionOf), photoLimits) : [];
    await Promise.all(pictures.map((picture, nth) => this.files.keep(photo, sizes[nth] ?? largestSize, picture)));
    const isThere = await withTenant(this.pool, photo.orgId, (tx) => markSized(tx, photo));
    if (!isThere) await this.files.removePhoto(photo);
  }
}
