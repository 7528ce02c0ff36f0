import { OpenToGuests } from '@caravan/auth/access.decorator';
import { CurrentCaller } from '@caravan/auth/caller.decorator';
import type { Caller } from '@caravan/auth/claims';
import { refreshCookieOf } from '@caravan/auth/cookies';
import { eraseRequestSchema } from '@caravan/contracts/http/people';
import type { ExportState } from '@caravan/contracts/http/people';
import { withTenant } from '@caravan/event-store/postgres/connections';
import { allowWrites } from '@caravan/event-store/postgres/reading';
import { Rejected } from '@caravan/kernel/rejected';
import { Env } from '@caravan/service-kit/process/env';
import { Jobs } from '@caravan/service-kit/jobs/jobs';
import { Log } from '@caravan/service-kit/telemetry/log';
import { ObjectStorage } from '@caravan/service-kit/storage/objects';
import { Pool } from '@caravan/service-kit/storage/pool';
import { ValidBody } from '@caravan/service-kit/http/valid.decorator';
import { Controller, Delete, Get, Header, HttpCode, Inject, Post, Req, Res, StreamableFile } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { recordAct } from '../audit/index.ts';
import { OwnPassword } from '../credentials/index.ts';
import { ErasureCleanup, ErasureService } from './erasure.service.ts';
import { collectMyData } from './exports.job.ts';
import { beginExport, exportKeyOf, exportOf, stateOf } from './exports.store.ts';

@Controller('api/me')
@OpenToGuests()
export class EraseController {
  constructor(
    @Inject(OwnPassword) private readonly ownPassword: OwnPassword,
    @Inject(ErasureService) private readonly erasing: ErasureService,
    @Inject(ErasureCleanup) private readonly cleanup: ErasureCleanup,
    @Inject(Env) private readonly env: Env,
  ) {}

  @Delete()
  async erase(
    @ValidBody(eraseRequestSchema) { password }: { password: string },
    @CurrentCaller() caller: Caller,
    @Req() { ip }: FastifyRequest,
    @Res({ passthrough: true }) answer: FastifyReply,
  ): Promise<{ erased: true }> {
    await this.ownPassword.assertIs(caller, password, { address: ip, field: 'password' });
    const { hasClosed } = await this.erasing.erase(caller);
    answer.header('set-cookie', refreshCookieOf(this.env.PUBLIC_URL).clear());
    await this.cleanup.run(caller, hasClosed);
    return { erased: true };
  }
}

@Controller('api/me/export')
@OpenToGuests()
export class ExportController {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(Jobs) private readonly jobs: Jobs,
    @Inject(ObjectStorage) private readonly objects: ObjectStorage,
    @Inject(Log) private readonly log: Log,
  ) {}

  @Post()
  @HttpCode(202)
  async request(@CurrentCaller() caller: Caller): Promise<ExportState> {
    const begun = await beginExport(this.pool, caller);
    const { orgId, userId } = caller;
    const { exportId } = begun;
    void this.jobs.enqueueOrKeep(collectMyData, { orgId, userId, exportId }, { key: exportId });
    this.log.info({ event: 'export-requested', userId }, 'somebody asked for their data');
    return stateOf(begun);
  }

  @Get()
  async state(@CurrentCaller() caller: Caller): Promise<ExportState> {
    return stateOf(await exportOf(this.pool, caller));
  }

  @Get('file')
  @Header('cache-control', 'private, no-store')
  async file(@CurrentCaller() caller: Caller): Promise<StreamableFile> {
    const row = await exportOf(this.pool, caller);
    const content =
      row?.state === 'ready' && (await this.objects.get(exportKeyOf({ orgId: caller.orgId, exportId: row.exportId })));
    if (!content) throw new Rejected('export/not-found', 'not-found', 'There is no export, or it has expired.');
    await allowWrites(() =>
      withTenant(this.pool, caller.orgId, (tx) => recordAct({ tx, meta: caller.meta }, 'data.export-downloaded')),
    );
    this.log.info({ event: 'export-downloaded', userId: caller.userId }, 'somebody downloaded their data');
    return new StreamableFile(content, {
      type: 'application/zip',
      disposition: 'attachment; filename="caravan-data.zip"',
      ...(row.sizeBytes !== null && { length: row.sizeBytes }),
    });
  }
}
