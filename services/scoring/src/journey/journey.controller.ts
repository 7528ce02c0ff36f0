import { AdminOnly } from '@caravan/auth/access.decorator';
import { CurrentCaller } from '@caravan/auth/caller.decorator';
import type { Caller } from '@caravan/auth/claims';
import {
  startJourneyRequestSchema,
  type Journey,
  type Route,
  type StartJourneyRequest,
} from '@caravan/contracts/http/journeys';
import { ValidBody } from '@caravan/service-kit/valid.decorator';
import { Controller, Get, Inject, Put } from '@nestjs/common';
import { JourneyService } from './journey.service.ts';
import { placeOf, postcardsOf } from './position.ts';
import { routeOfId, routes } from './routes.ts';

@Controller('api/journey')
export class JourneyController {
  constructor(@Inject(JourneyService) private readonly journeys: JourneyService) {}

  @Get()
  async read(@CurrentCaller() caller: Caller): Promise<Journey> {
    const { routeId, startedAt, travellers, reached } = await this.journeys.recordFor(caller);
    const route = routeOfId(routeId);
    if (!route) throw new Error(`The route ${routeId} is no longer bundled`);
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
}
