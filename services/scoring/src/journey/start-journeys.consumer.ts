import { organisationKey } from '@caravan/contracts/events/fact-key';
import { organisationFounded } from '@caravan/contracts/events/identity.events';
import { localDateOf } from '@caravan/contracts/domain/time/local-days';
import { positionsOf } from '@caravan/contracts/events/log-position';
import { EventStore } from '@caravan/event-store/core/event-store';
import { type BatchContext, type Consumed, Consumes } from '@caravan/messaging/consumer/consumer';
import { Controller, Inject } from '@nestjs/common';
import { JourneyService } from './journey.service.ts';

@Controller()
export class StartJourneysConsumer {
  constructor(
    @Inject(EventStore) private readonly store: EventStore,
    @Inject(JourneyService) private readonly journeys: JourneyService,
  ) {}

  @Consumes({ group: 'scoring.start-journeys', from: 'identity', contract: organisationFounded, locksKeys: true })
  async beginJourneyWhenOrganisationFounded(
    founded: Consumed<typeof organisationFounded>,
    batch: BatchContext,
  ): Promise<void> {
    const { orgId, data } = founded;
    const at = new Date(data.foundedAt);
    const unit = this.store.within(batch.tx, {
      orgId,
      actorId: null,
      at,
      key: organisationKey(orgId),
      causes: positionsOf(founded),
    });
    await this.journeys.begin(unit, localDateOf(at, data.timeZone));
    // The first miles may be in the sums already; nobody else looks until the next ones.
    batch.afterCommit(() => this.journeys.look(orgId));
  }
}
