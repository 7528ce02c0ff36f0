import { AdminOnly } from '@caravan/auth/access.decorator';
import { CurrentCaller } from '@caravan/auth/caller.decorator';
import type { Caller } from '@caravan/auth/claims';
import { auditFileQuerySchema, auditQuerySchema } from '@caravan/contracts/http/audit';
import type { AuditEntry, AuditFilters, AuditQuery } from '@caravan/contracts/http/audit';
import { withTenant } from '@caravan/event-store/postgres/connections';
import { allowWrites } from '@caravan/event-store/postgres/reading';
import { Cursors } from '@caravan/service-kit/http/cursors';
import { nextPageLink } from '@caravan/service-kit/http/page';
import { Pool } from '@caravan/service-kit/storage/pool';
import { ValidQuery } from '@caravan/service-kit/http/valid.decorator';
import { Controller, Get, Header, Inject, Res, StreamableFile } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { auditEntries, auditPage } from './audit.query.ts';
import { recordAct } from './audit.store.ts';
import { csvOf, fileColumns, fileRowOf } from './csv.ts';

@AdminOnly()
@Controller('api/audit')
export class AuditController {
  constructor(
    @Inject(Pool) readonly pool: Pool,
    @Inject(Cursors) readonly cursors: Cursors,
  ) {}

  @Get()
  async list(
    @ValidQuery(auditQuerySchema) query: AuditQuery,
    @CurrentCaller() caller: Caller,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<AuditEntry[]> {
    const { entries, nextCursor } = await auditPage(this, caller, query);
    if (nextCursor !== undefined) reply.header('link', nextPageLink({ path: '/api/audit', query, cursor: nextCursor }));
    return entries;
  }

  @Get('file')
  @Header('cache-control', 'private, no-store')
  async file(
    @ValidQuery(auditFileQuerySchema) filters: AuditFilters,
    @CurrentCaller() caller: Caller,
  ): Promise<StreamableFile> {
    const entries = await auditEntries(this.pool, caller, filters);
    // Whoever takes the log with them stands in it.
    const exported = { count: entries.length };
    await allowWrites(() =>
      withTenant(this.pool, caller.orgId, (tx) =>
        recordAct({ tx, meta: caller.meta }, 'data.audit-exported', exported),
      ),
    );
    const content = Buffer.from(csvOf(entries.map(fileRowOf), fileColumns));
    return new StreamableFile(content, {
      type: 'text/csv; charset=utf-8',
      disposition: 'attachment; filename="caravan-audit.csv"',
      length: content.length,
    });
  }
}
