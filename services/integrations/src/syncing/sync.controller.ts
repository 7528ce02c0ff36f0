import { CurrentCaller } from '@caravan/auth/caller.decorator';
import type { Caller } from '@caravan/auth/claims';
import * as contract from '@caravan/contracts/http/fitness';
import type { Cursor, PageQuery } from '@caravan/contracts/http/paging';
import { Rejected } from '@caravan/kernel/rejected';
import { Cursors } from '@caravan/service-kit/http/cursors';
import { nextPageLink } from '@caravan/service-kit/http/page';
import { uuidParams, ValidBody, ValidParams, ValidQuery } from '@caravan/service-kit/http/valid.decorator';
import { Controller, Get, HttpCode, Inject, Patch, Post, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { z } from 'zod';
import { ImportsService } from '../importing/index.ts';
import { Rows } from '../rows/index.ts';
import { AskedSyncs } from './asked-syncs.service.ts';
import { pageOfRuns, pageOfWorkouts, workoutOf } from './sync.query.ts';

const workoutParams = uuidParams('workoutId');

@Controller('api/fitness')
export class SyncController {
  constructor(
    @Inject(AskedSyncs) private readonly asked: AskedSyncs,
    @Inject(Rows) private readonly rows: Rows,
    @Inject(Cursors) private readonly cursors: Cursors,
    @Inject(ImportsService) private readonly imports: ImportsService,
  ) {}

  @Post('sync')
  @HttpCode(200)
  async sync(@CurrentCaller() { orgId, userId }: Caller): Promise<z.infer<typeof contract.syncAnswerSchema>> {
    return { syncedActivities: await this.asked.sync({ orgId, userId }) };
  }

  @Get('history')
  async history(
    @CurrentCaller() caller: Caller,
    @ValidQuery(contract.syncRunsQuerySchema) page: PageQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<readonly contract.SyncRun[]> {
    const { rows, nextCursor } = await pageOfRuns({ rows: this.rows, cursors: this.cursors }, caller, page);
    if (nextCursor !== undefined) reply.header('link', linkTo('/api/fitness/history', page, nextCursor));
    return rows;
  }

  @Get('workouts')
  async workouts(
    @CurrentCaller() caller: Caller,
    @ValidQuery(contract.importedWorkoutsQuerySchema) page: PageQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<readonly contract.ImportedWorkout[]> {
    const { rows, nextCursor } = await pageOfWorkouts({ rows: this.rows, cursors: this.cursors }, caller, page);
    if (nextCursor !== undefined) reply.header('link', linkTo('/api/fitness/workouts', page, nextCursor));
    return rows;
  }

  @Patch('workouts/:workoutId')
  async count(
    @CurrentCaller() caller: Caller,
    @ValidParams(workoutParams) { workoutId }: z.infer<typeof workoutParams>,
    @ValidBody(contract.countWorkoutRequestSchema) { counts }: z.infer<typeof contract.countWorkoutRequestSchema>,
  ): Promise<contract.ImportedWorkout> {
    await this.imports.override(caller, workoutId, counts);
    const workout = await workoutOf(this.rows, caller, workoutId);
    if (!workout) throw new Rejected('fitness/workout-not-found', 'not-found', 'Not found');
    return workout;
  }
}

const linkTo = (path: string, { limit }: PageQuery, cursor: Cursor) => nextPageLink({ path, query: { limit }, cursor });
