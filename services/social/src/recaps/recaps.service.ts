import type { Caller } from '@caravan/auth/claims';
import type { Engagement, EngagementRequest } from '@caravan/contracts/http/recaps';
import { organisationKey } from '@caravan/contracts/events/fact-key';
import { weekStartOf } from '@caravan/contracts/domain/time/local-days';
import { organisationDateOf } from '@caravan/contracts/domain/time/organisation-zone';
import { EventStore, type IdempotentRequest } from '@caravan/event-store/core/event-store';
import { withTenant } from '@caravan/event-store/postgres/connections';
import { Rejected } from '@caravan/kernel/rejected';
import { Live } from '@caravan/service-kit/live/live';
import { Pool } from '@caravan/service-kit/storage/pool';
import { type Sweep, Sweeps } from '@caravan/service-kit/jobs/sweeps';
import { Inject, Injectable } from '@nestjs/common';
import { zonesOf } from '../directory/index.ts';
import { weeklyRecapBuilt } from './public-events.ts';
import { dueWeeks, type Week, weekEndOf } from './recap.ts';
import { engage, keepRecap } from './recaps.store.ts';
import { organisationsWithLatestWeek } from './recaps.system.query.ts';
import { teamNamesOf, weekFigures } from './week-figures.query.ts';

@Injectable()
export class RecapsService {
  private readonly organisations: Sweep;

  constructor(
    @Inject(EventStore) private readonly store: EventStore,
    @Inject(Pool) private readonly pool: Pool,
    @Inject(Live) private readonly live: Live,
    @Inject(Sweeps) sweeps: Sweeps,
  ) {
    this.organisations = sweeps.of('social.build-recaps');
  }

  /** Of every organisation, oldest week first. One that fails stops no other. */
  async buildDue(at: Date): Promise<void> {
    await this.organisations.each(
      await organisationsWithLatestWeek(this.pool),
      ({ orgId }) => orgId,
      async (organisation) => {
        const weeks = dueWeeks(organisation, at);
        for (const startsOn of weeks) {
          const week = { ...organisation, startsOn, endsOn: weekEndOf(startsOn) };
          await this.build(week, at, startsOn === weeks.at(-1));
        }
      },
    );
  }

  /** Nobody is told of a week in which nobody moved, nor of one that was made up for. */
  async build(week: Week, at: Date, isLatest: boolean): Promise<void> {
    const { orgId } = week;
    // Outside the transaction that holds the organisation's key: requests wait for nothing.
    const figures = await withTenant(this.pool, orgId, (tx) => weekFigures(tx, week));
    const meta = { orgId, actorId: null, at, key: organisationKey(orgId) };
    const recapId = await this.store.transaction(meta, async (unit) => {
      const built = await keepRecap(unit, week, figures);
      if (built !== undefined && isLatest && figures.memberCount > 0) {
        const topIds = figures.story.teams.map(({ teamId }) => teamId);
        const teamNames = await teamNamesOf(unit.tx, orgId, topIds);
        await unit.publish(weeklyRecapBuilt({ recapId: built, teamNames, at }, week, figures));
      }
      return built;
    });
    if (recapId !== undefined) this.live.publish(orgId, ['recaps']);
  }

  /** Also of a week from before the organisation was founded. Throws `Rejected` for what is no week that is over. */
  async buildPast({ orgId, at }: Caller, startsOn: string): Promise<void> {
    const zones = await withTenant(this.pool, orgId, (tx) => zonesOf(tx, orgId));
    const endsOn = weekEndOf(startsOn);
    if (weekStartOf(startsOn) !== startsOn || endsOn >= organisationDateOf(zones, at))
      throw new Rejected('recaps/no-past-week', 'invalid', 'A week that is over begins on an earlier Monday');
    await this.build({ orgId, zones, startsOn, endsOn }, at, true);
  }

  /** Throws `Rejected` (not-found) for what is no recap of the caller's organisation. */
  async engage(
    caller: Caller,
    recapId: string,
    said: EngagementRequest,
    request?: IdempotentRequest,
  ): Promise<Engagement> {
    const engagement = await this.store.transaction(
      caller.meta,
      (unit) => engage(unit, caller, recapId, said),
      request,
    );
    // On other devices of whoever said it; the rest sees new counts when they look again.
    this.live.publish(caller.orgId, ['recaps'], { to: caller.userId });
    return engagement;
  }
}
