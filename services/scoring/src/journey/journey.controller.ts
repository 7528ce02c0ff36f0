import { AdminOnly } from '@caravan/auth/access.decorator';
import { CurrentCaller } from '@caravan/auth/caller.decorator';
import type { Caller } from '@caravan/auth/claims';
import {
  startJourneyRequestSchema,
  type Journey,
  type Route,
  type StartJourneyRequest,
} from '@caravan/contracts/http/journeys';
import { ValidBody } from '@caravan/service-kit/http/valid.decorator';
import { strangerId } from '@caravan/contracts/domain/unnamed';
import { type Asked, type Composed, Live } from '@caravan/service-kit/live/live';
import { Pool } from '@caravan/service-kit/storage/pool';
import { Controller, Get, Inject, type OnModuleInit, Put } from '@nestjs/common';
import { reachedBy } from './journey.query.ts';
import { JourneyService } from './journey.service.ts';
import { placeOf, postcardsOf } from './position.ts';
import { routeOfId, routes } from './position.ts';

@Controller('api/journey')
export class JourneyController implements OnModuleInit {
  constructor(
    @Inject(JourneyService) private readonly journeys: JourneyService,
    @Inject(Live) private readonly live: Live,
    @Inject(Pool) private readonly pool: Pool,
  ) {}

  onModuleInit(): void {
    this.live.compose('journey', (asked) => this.journey(asked));
  }

  @Get()
  async read(@CurrentCaller() caller: Caller): Promise<Journey> {
    const { routeId, startedAt, travellers, reached } = await this.journeys.recordFor(caller);
    const route = bundledRoute(routeId);
    return {
      route,
      startedAt,
      teams: travellers.map((traveller) => placeOf(route, traveller)),
      reached: postcardsOf(route, reached),
      routes: routes.map(({ id, name, totalMiles }) => ({ id, name, totalMiles })),
    };
  }

  @Get('routes')
  @AdminOnly()
  list(): readonly Route[] {
    return routes;
  }

  @Put()
  @AdminOnly()
  async start(
    @CurrentCaller() caller: Caller,
    @ValidBody(startJourneyRequestSchema) request: StartJourneyRequest,
  ): Promise<Journey> {
    await this.journeys.start(caller, request);
    return this.read(caller);
  }

  private async journey({ orgId, at, readers, isForAll, wanted }: Asked): Promise<Composed<'journey'>> {
    const { routeId, startedAt, travellers } = await this.journeys.recordFor({ orgId, userId: strangerId, at });
    const route = bundledRoute(routeId);
    const rows = await reachedBy(this.pool, orgId, isForAll ? readers : [...wanted]);
    const nothing: Journey['reached'] = [];
    return {
      all: { routeId, startedAt, teams: travellers.map((traveller) => placeOf(route, traveller)), reached: nothing },
      some: rows.flatMap(({ readers: to, reached }) =>
        reached ? [{ to, data: { reached: postcardsOf(route, reached) } }] : [],
      ),
    };
  }
}

function bundledRoute(routeId: string): Route {
  const route = routeOfId(routeId);
  if (!route) throw new Error(`The route ${routeId} is no longer bundled`);
  return route;
}
