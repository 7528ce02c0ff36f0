import { personKey } from '@caravan/contracts/events/fact-key';
import { withSystem } from '@caravan/event-store/postgres/connections';
import { Body, Controller, Get, HttpCode, Inject, Injectable, Module, Param, Post, Put, Req } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { BodyLimit } from '../http/request-body.decorator.ts';
import type { Env } from '../process/env.ts';
import { HandlesJob } from '../jobs/handles-job.decorator.ts';
import { IdempotencyKey } from '../http/idempotency.decorator.ts';
import { defineJob } from '../jobs/job.ts';
import { Jobs } from '../jobs/jobs.ts';
import { Pool } from '../storage/pool.ts';
import { currentContext, nameCaller, noteCommitted } from '../telemetry/request-context.ts';
import { ServiceKitModule } from '../http/service-kit.module.ts';
import { idParams, ValidBody, ValidParams, ValidQuery } from '../http/valid.decorator.ts';

export const noteSchema = z.object({
  text: z.string({ error: 'Text is required' }).min(1, 'Text is required'),
  tags: z.array(z.string()).default([]),
});
export const countTo = defineJob({
  name: 'tiny.count-to',
  remadeBy: null,
  data: z.object({ to: z.number() }),
  attempts: 3,
  backoffSeconds: 0,
});

/** What the handlers saw, for the suite to look at. */
export class Seen {
  readonly jobs: { to: number; traceId: string | undefined }[] = [];
  /** Requests that wait; calling one lets it end. */
  readonly waiting: (() => void)[] = [];
  failures = 0;
}

@Controller()
export class TinyController {
  constructor(
    @Inject(Seen) private readonly seen: Seen,
    @Inject(Jobs) private readonly jobs: Jobs,
    @Inject(Pool) private readonly pool: Pool,
  ) {}

  @Post('api/notes')
  @HttpCode(200)
  write(@ValidBody(noteSchema) note: z.infer<typeof noteSchema>, @IdempotencyKey() request: unknown) {
    noteCommitted('activity', { epoch: 0, position: 7, key: personKey('ada') });
    return { note, request: request ?? null };
  }

  @Put('api/setup')
  @BodyLimit(1024 * 1024)
  setUp(@ValidBody(noteSchema) note: z.infer<typeof noteSchema>) {
    return { length: note.text.length };
  }

  @Get('api/notes/:id')
  read(
    @ValidParams(idParams) { id }: z.infer<typeof idParams>,
    @ValidQuery(z.object({ q: z.string().default('') })) { q }: { q: string },
  ) {
    nameCaller({ userId: 'ada', orgId: 'org' });
    return { id, q, traceId: currentContext()?.trace.traceId };
  }

  /** How the service sees who asks. */
  @Get(['api/who', 'internal/who'])
  who(@Req() { ip, protocol, headers }: FastifyRequest) {
    return { ip, protocol, names: Object.keys(headers) };
  }

  @Get('api/slow')
  async slow() {
    await new Promise<void>((resolve) => this.seen.waiting.push(resolve));
    return { done: true };
  }

  @Get('api/broken')
  async fail() {
    await this.pool.query('select secret_column from no_such_table');
  }

  @Get('api/sleep')
  async sleep() {
    await withSystem(this.pool, (tx) => tx.query('select pg_sleep(30)'));
  }

  @Post('api/jobs/:key')
  async enqueue(@Param('key') key: string, @Body() { to }: { to: number }) {
    await this.jobs.enqueue(countTo, { to }, { key });
    return { queued: true };
  }
}

/** Fails as often as the suite asks, then counts. */
@Injectable()
export class CountJob {
  constructor(@Inject(Seen) private readonly seen: Seen) {}

  @HandlesJob(countTo)
  async count({ to }: { to: number }) {
    if (this.seen.failures > 0) {
      this.seen.failures -= 1;
      throw new Error('not yet');
    }
    this.seen.jobs.push({ to, traceId: currentContext()?.trace.traceId });
  }
}

/** The smallest service that uses every part of the kit. */
@Module({})
export class TinyModule {
  static forRoot(env: Env, seen = new Seen()): DynamicModule {
    return {
      module: TinyModule,
      imports: [ServiceKitModule.forRoot(env, { jobs: [countTo] })],
      controllers: [TinyController],
      providers: [{ provide: Seen, useValue: seen }, CountJob],
    };
  }
}
