import { HandlesJob } from '@caravan/service-kit/jobs/handles-job.decorator';
import { defineJob } from '@caravan/service-kit/jobs/job';
import { Jobs } from '@caravan/service-kit/jobs/jobs';
import { Pool } from '@caravan/service-kit/storage/pool';
import { type Sweep, Sweeps } from '@caravan/service-kit/jobs/sweeps';
import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import * as store from './clean-up.system.store.ts';
import { uploadKey } from './photo.ts';
import { makePhotoSizes } from './photo-sizes.job.ts';
import { StoredFiles } from './stored-files.client.ts';

export const cleanUpPhotos = defineJob({
  name: 'activity.clean-up-photos',
  data: z.object({}),
  attempts: 1,
  concurrency: 1,
  everySeconds: 60,
});

/** Objects first, rows last: a row that is there can be looked at again, an object without one by nobody. */
@Injectable()
export class CleanUpPhotos {
  private readonly rows: Sweep;

  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(StoredFiles) private readonly files: StoredFiles,
    @Inject(Jobs) private readonly jobs: Jobs,
    @Inject(Sweeps) sweeps: Sweeps,
  ) {
    this.rows = sweeps.of('activity.clean-up-photos');
  }

  @HandlesJob(cleanUpPhotos)
  cleanUp(): Promise<void> {
    return this.cleanUpAt(new Date());
  }

  async cleanUpAt(at: Date): Promise<void> {
    const resting = this.rows.resting();
    await store.discardOver(this.pool, at);
    await this.rows.each(
      await store.discardedPhotos(this.pool, at, resting),
      ({ photoId }) => photoId,
      async (photo) => {
        await this.files.removePhoto(photo);
        await store.forgetPhoto(this.pool, photo, at);
      },
    );
    await this.rows.each(
      await store.discardedUploads(this.pool, at, resting),
      ({ uploadId }) => uploadId,
      async (upload) => {
        await this.files.removeUpload(uploadKey(upload), upload.multipartId);
        await store.forgetUpload(this.pool, upload, at);
      },
    );
    await this.rows.each(
      await store.unsizedPhotos(this.pool, at),
      ({ photoId }) => `sizes of ${photoId}`,
      (photo) => this.jobs.enqueue(makePhotoSizes, photo, { key: photo.photoId }),
    );
  }
}
