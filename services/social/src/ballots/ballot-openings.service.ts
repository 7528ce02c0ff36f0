import { organisationKey } from '@caravan/contracts/events/fact-key';
import type { companySetUp } from '@caravan/contracts/events/identity.events';
import { positionsOf } from '@caravan/contracts/events/log-position';
import { EventStore } from '@caravan/event-store/core/event-store';
import type { BatchContext, Consumed } from '@caravan/messaging/consumer/consumer';
import { Live } from '@caravan/service-kit/live/live';
import { Inject, Injectable } from '@nestjs/common';
import type { AfterSetUp } from '../ports.ts';
import { usualEndOf } from './ballot.ts';
import { openBallot, startFirstRound, teamsWithoutBallot } from './ballots.store.ts';

/** The first completed set-up of an organisation opens ballots for all its teams (D20). */
@Injectable()
export class BallotOpenings implements AfterSetUp {
  constructor(
    @Inject(EventStore) private readonly store: EventStore,
    @Inject(Live) private readonly live: Live,
  ) {}

  async afterSetUp(setUp: Consumed<typeof companySetUp>, batch: BatchContext): Promise<void> {
    const { orgId, data } = setUp;
    const at = new Date(data.setUpAt);
    const isFirst = await startFirstRound(batch.tx, orgId, at);
    // Told of long ago, as to a service that has just been installed: nobody could vote any more.
    if (!isFirst || usualEndOf(at) <= new Date()) return;
    const meta = { orgId, actorId: null, at, key: organisationKey(orgId), causes: positionsOf(setUp) };
    const unit = this.store.within(batch.tx, meta);
    for (const team of await teamsWithoutBallot(unit)) await openBallot(unit, team, { reason: 'set-up' });
    batch.afterCommit(() => this.live.publish(orgId, ['ballots']));
  }
}
