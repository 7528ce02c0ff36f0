import { randomUUIDv7 } from 'node:crypto';
import { AdminOnly } from '@caravan/auth/access.decorator';
import { CurrentCaller } from '@caravan/auth/caller.decorator';
import type { Caller } from '@caravan/auth/claims';
import { challengeTemplatesRequestSchema, type ChallengeTemplate } from '@caravan/contracts/http/challenges';
import { EventStore } from '@caravan/event-store/core/event-store';
import { withTenant } from '@caravan/event-store/postgres/connections';
import { IfMatch, refuseStale } from '@caravan/service-kit/http/if-match.decorator';
import { Pool } from '@caravan/service-kit/storage/pool';
import { ValidBody } from '@caravan/service-kit/http/valid.decorator';
import { Controller, Get, Inject, Put } from '@nestjs/common';
import { savingTemplatesAudited } from './public-events.ts';
import { replaceTemplates, templatesOf } from './templates.store.ts';
import { refusalOf } from './templates.ts';
import type { Template } from './templates.ts';

@Controller('api/challenge-templates')
@AdminOnly()
export class TemplatesController {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(EventStore) private readonly store: EventStore,
  ) {}

  @Get()
  list(@CurrentCaller() { orgId }: Caller): Promise<readonly Template[]> {
    return withTenant(this.pool, orgId, (tx) => templatesOf(tx, orgId));
  }

  /** The running week keeps what it began with. */
  @Put()
  replace(
    @CurrentCaller() { orgId, meta }: Caller,
    @ValidBody(challengeTemplatesRequestSchema) wanted: readonly ChallengeTemplate[],
    @IfMatch() seen: string | undefined,
  ): Promise<readonly Template[]> {
    return this.store.transaction(meta, async (unit) => {
      const { tx } = unit;
      await tx.query('select es.lock_keys(array[$1])', [orgId]);
      const before = await templatesOf(tx, orgId);
      refuseStale(seen, before);
      const refusal = refusalOf(wanted, before);
      if (refusal) throw refusal;
      const templates = wanted.map((template) => ({ ...template, id: template.id ?? randomUUIDv7() }));
      await replaceTemplates(tx, orgId, templates);
      await unit.publish(savingTemplatesAudited(templates.length));
      return templates;
    });
  }
}
