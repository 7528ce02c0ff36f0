import { withTenant } from '@caravan/event-store/postgres';
import { HandlesJob } from '@caravan/service-kit/handles-job.decorator';
import { defineJob } from '@caravan/service-kit/job';
import { ObjectStorage } from '@caravan/service-kit/objects';
import { Pool } from '@caravan/service-kit/pool';
import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import { confirmedAddressOf } from '../confirmed-address.ts';
import { Mailing } from '../ports.ts';
import { CollectedFiles } from './collected-files.client.ts';
import { exportKeyOf, type ExportRef, finishExport, type Holder, holderOf } from './exports.query.ts';

export const collectMyData = defineJob({
  name: 'identity.collect-my-data',
  data: z.object({ orgId: z.uuid(), userId: z.uuid(), exportId: z.uuid() }),
  concurrency: 1,
});

/** Collects everything about one person into one file. Repeating it is harmless: the file has one name. */
@Injectable()
export class CollectMyData {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(ObjectStorage) private readonly objects: ObjectStorage,
    @Inject(Mailing) private readonly mailing: Mailing,
    @Inject(CollectedFiles) private readonly files: CollectedFiles,
  ) {}

  @HandlesJob(collectMyData)
  async collect(ref: z.infer<typeof collectMyData.data>): Promise<void> {
    const holder = await holderOf(this.pool, ref, new Date());
    if (!holder) return this.objects.remove(exportKeyOf(ref));
    const content = await this.files.zip(ref, holder);
    await this.objects.put(exportKeyOf(ref), content, 'application/zip');
    const isWanted = await this.finish(ref, holder, content.length);
    if (!isWanted) await this.objects.remove(exportKeyOf(ref));
  }

  private finish(ref: ExportRef, holder: Holder, sizeBytes: number): Promise<boolean> {
    const at = new Date();
    const { name } = holder;
    const to = confirmedAddressOf(holder);
    return withTenant(this.pool, ref.orgId, async (tx) => {
      const until = await finishExport(tx, ref, sizeBytes, at);
      if (until) await this.mailing.send(tx, ref.orgId, { about: 'export-ready', to, name, at, until });
      return until !== undefined;
    });
  }
}
