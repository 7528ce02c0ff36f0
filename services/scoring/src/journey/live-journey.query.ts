import type { Journey } from '@caravan/contracts/http/journeys';
import { strangerId } from '@caravan/contracts/unnamed';
import { tenantQuery } from '@caravan/event-store/postgres';
import { type Asked, type Composed, Live } from '@caravan/service-kit/live';
import { Pool } from '@caravan/service-kit/pool';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { JourneyService } from './journey.service.ts';
import { placeOf, postcardsOf } from './position.ts';
import { routeOfId } from './routes.ts';

// The postcards of readers' teams, with the readers they are for.
const reachedSql = `
  select array_agg(distinct m.user_id) as readers,
    (select json_agg(json_build_object('checkpoint', a.checkpoint, 'reachedAt', a.reached_at) order by a.checkpoint)
      from journey_arrivals a where a.org_id = $1 and a.team_id = m.team_id
        and a.journey_id = (select journey_id from journeys where org_id = $1)) as reached
  from members m where m.org_id = $1 and m.user_id = any($2::uuid[]) group by m.team_id`;

type Row = { readers: string[]; reached: { checkpoint: number; reachedAt: string }[] | null };

/** Composes for open pages where all teams are on their way, and for each team what it has reached (ADR 0036). */
@Injectable()
export class LiveJourney implements OnModuleInit {
  constructor(
    @Inject(Live) private readonly live: Live,
    @Inject(Pool) private readonly pool: Pool,
    @Inject(JourneyService) private readonly journeys: JourneyService,
  ) {}

  onModuleInit(): void {
    this.live.compose('journey', (asked) => this.journey(asked));
  }

  private async journey({ orgId, at, readers, isForAll, wanted }: Asked): Promise<Composed<'journey'>> {
    const { routeId, startedAt, travellers } = await this.journeys.recordFor({ orgId, userId: strangerId, at });
    const route = routeOfId(routeId);
    if (!route) throw new Error(`The route ${routeId} is no longer bundled`);
    const whose = [orgId, isForAll ? readers : [...wanted]];
    const { rows } = await tenantQuery<Row>(this.pool, orgId, reachedSql, whose);
    const nothing: Journey['reached'] = [];
    return {
      all: { routeId, startedAt, teams: travellers.map((traveller) => placeOf(route, traveller)), reached: nothing },
      some: rows.flatMap(({ readers: to, reached }) =>
        reached ? [{ to, data: { reached: postcardsOf(route, reached) } }] : [],
      ),
    };
  }
}
