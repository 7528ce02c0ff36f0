import { personKey } from '@caravan/contracts/events/fact-key';
import { EventStore } from '@caravan/event-store/core/event-store';
import { HandlesJob } from '@caravan/service-kit/jobs/handles-job.decorator';
import { defineJob } from '@caravan/service-kit/jobs/job';
import { Jobs } from '@caravan/service-kit/jobs/jobs';
import { objectsDependency, ObjectStorage } from '@caravan/service-kit/storage/objects';
import { Pool } from '@caravan/service-kit/storage/pool';
import { Sweeps } from '@caravan/service-kit/jobs/sweeps';
import type { Sweep } from '@caravan/service-kit/jobs/sweeps';
import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import { forgetInvitesOfClosed } from '../invites/index.ts';
import { confirmedAddressOf, MailService, settledSeconds } from '../mail/index.ts';
import { CollectedFiles } from './collected-files.service.ts';
import { DiscardedFiles } from './erasure.service.ts';
import { dropExport, exportKeyOf, failExport, finishExport, forgetErasedSessions, holderOf } from './exports.store.ts';
import type { ExportRef, Holder } from './exports.store.ts';
import { exportsBegunBefore, exportsOver } from './exports.system.query.ts';
import { exportReady } from './public-events.ts';

const givenUpAfterSeconds = 3_600;

export const collectMyData = defineJob({
  name: 'identity.collect-my-data',
  remadeBy: 'identity.sweep-exports',
  data: z.object({ orgId: z.uuid(), userId: z.uuid(), exportId: z.uuid() }),
  concurrency: 1,
  needs: [objectsDependency.name],
  lateAfterSeconds: givenUpAfterSeconds,
});

/** The file counts, its owner is mailed and others are told, or none of it. */
@Injectable()
export class ExportNotifier {
  constructor(
    @Inject(EventStore) private readonly store: EventStore,
    @Inject(MailService) private readonly mails: MailService,
  ) {}

  /** False when the export is not wanted any more. */
  finish(ref: ExportRef, holder: Holder, sizeBytes: number): Promise<boolean> {
    const at = new Date();
    const { name } = holder;
    const { orgId, userId } = ref;
    const to = confirmedAddressOf(holder);
    const meta = { orgId, actorId: null, at, key: personKey(userId) };
    return this.store.transaction(meta, async (unit) => {
      const until = await finishExport(unit.tx, ref, sizeBytes, at);
      if (!until) return false;
      await this.mails.send(unit.tx, orgId, { about: 'export-ready', to, name, at, until });
      await unit.publish(exportReady(userId, at));
      return true;
    });
  }
}

/** Repeating it is harmless: the file has one name. */
@Injectable()
export class CollectMyData {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(ObjectStorage) private readonly objects: ObjectStorage,
    @Inject(ExportNotifier) private readonly notifier: ExportNotifier,
    @Inject(CollectedFiles) private readonly files: CollectedFiles,
  ) {}

  @HandlesJob(collectMyData)
  async collect(ref: z.infer<typeof collectMyData.data>): Promise<void> {
    const holder = await holderOf(this.pool, ref);
    if (!holder) return this.objects.remove(exportKeyOf(ref));
    const content = await this.files.zip(ref, holder);
    const sizeBytes = await this.objects.putStream(exportKeyOf(ref), content, 'application/zip');
    const isWanted = await this.notifier.finish(ref, holder, sizeBytes);
    if (!isWanted) await this.objects.remove(exportKeyOf(ref));
  }
}

const sweepSeconds = 60;
// No access token of an erased account is younger.
const tokenSeconds = 65 * 60;

export const sweepExports = defineJob({
  name: 'identity.sweep-exports',
  data: z.object({}),
  attempts: 1,
  everySeconds: sweepSeconds,
});

/** Takes up exports whose job was lost, gives up some, and removes what is over. */
@Injectable()
export class SweepExports {
  private readonly exports: Sweep;

  constructor(
    @Inject(Jobs) private readonly jobs: Jobs,
    @Inject(Pool) private readonly pool: Pool,
    @Inject(DiscardedFiles) private readonly discarded: DiscardedFiles,
    @Inject(Sweeps) sweeps: Sweeps,
  ) {
    this.exports = sweeps.of('identity.exports');
  }

  @HandlesJob(sweepExports)
  async sweep(): Promise<void> {
    const at = new Date();
    const before = (seconds: number) => new Date(at.getTime() - seconds * 1_000);
    await forgetInvitesOfClosed(this.pool, at);
    await forgetErasedSessions(this.pool, before(tokenSeconds));
    const each = (refs: readonly ExportRef[], work: (ref: ExportRef) => Promise<unknown>) =>
      this.exports.each(refs, ({ exportId }) => exportId, work);
    await each(await exportsBegunBefore(this.pool, before(givenUpAfterSeconds)), async (ref) => {
      await failExport(this.pool, ref, at);
      this.exports.log.error({ event: 'export-given-up', ...ref }, 'an export could not be built within an hour');
    });
    await each(await exportsOver(this.pool, at), (ref) => dropExport(this.pool, ref, at));
    await each(await exportsBegunBefore(this.pool, before(settledSeconds)), (ref) =>
      this.jobs.enqueue(collectMyData, ref, { key: ref.exportId }),
    );
    await this.discarded.remove();
  }
}
