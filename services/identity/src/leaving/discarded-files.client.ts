import { ObjectStorage } from '@caravan/service-kit/objects';
import { Pool } from '@caravan/service-kit/pool';
import { type Sweep, Sweeps } from '@caravan/service-kit/sweeps';
import { Inject, Injectable } from '@nestjs/common';
import { discardedObjects, forgetDiscarded } from './exports.query.ts';

/** Files that a committed transaction made worthless. */
@Injectable()
export class DiscardedFiles {
  private readonly files: Sweep;

  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(ObjectStorage) private readonly objects: ObjectStorage,
    @Inject(Sweeps) sweeps: Sweeps,
  ) {
    this.files = sweeps.of('identity.discarded-files');
  }

  /** Removes them from the object store. Throws when it is away; then they go later. */
  async remove(): Promise<void> {
    await this.files.each(
      await discardedObjects(this.pool, this.files.resting()),
      (key) => key,
      async (key) => {
        await this.objects.remove(key);
        await forgetDiscarded(this.pool, key);
      },
    );
  }
}
