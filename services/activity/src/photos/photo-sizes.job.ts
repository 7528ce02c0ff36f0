import { withTenant } from '@caravan/event-store/postgres/connections';
import { HandlesJob } from '@caravan/service-kit/jobs/handles-job.decorator';
import { ImageWorker } from '@caravan/service-kit/media/image-worker';
import { defineJob } from '@caravan/service-kit/jobs/job';
import { objectsDependency } from '@caravan/service-kit/storage/objects';
import { Pool } from '@caravan/service-kit/storage/pool';
import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import { drawn, largestSize, photoKey, photoLimits, type PhotoRef, type Pixels, smallerSizesOf } from './photo.ts';
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
    const pixels = await this.unsized(photo);
    if (!pixels) return;
    const sizes = smallerSizesOf(pixels);
    const largest = () => this.files.read(photoKey(photo, largestSize));
    const pictures = sizes.length > 0 ? await this.images.render(largest, sizes.map(drawn), photoLimits) : [];
    await Promise.all(pictures.map((picture, nth) => this.files.keep(photo, sizes[nth] ?? largestSize, picture)));
    const isThere = await this.sized(photo);
    if (!isThere) await this.files.removePhoto(photo);
  }

  private unsized({ orgId, photoId }: PhotoRef): Promise<Pixels | undefined> {
    return withTenant(this.pool, orgId, async (tx) => {
      const { rows } = await tx.query<Pixels>(
        `select width, height from photos where org_id = $1 and photo_id = $2
           and registered_at is not null and sized_at is null and discarded_at is null`,
        [orgId, photoId],
      );
      return rows[0];
    });
  }

  /** False when it was discarded meanwhile. */
  private sized({ orgId, photoId }: PhotoRef): Promise<boolean> {
    return withTenant(this.pool, orgId, async (tx) => {
      const { rowCount } = await tx.query(
        'update photos set sized_at = now() where org_id = $1 and photo_id = $2 and discarded_at is null',
        [orgId, photoId],
      );
      return rowCount === 1;
    });
  }
}
