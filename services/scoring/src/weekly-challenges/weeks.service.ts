import type { Caller } from '@caravan/auth/claims';
import type { ChallengeProgress, WeeklyChallenge } from '@caravan/contracts/http/challenges';
import { organisationWeekOf } from '@caravan/contracts/domain/time/organisation-zone';
import { withTenant } from '@caravan/event-store/postgres/connections';
import type { BatchContext } from '@caravan/messaging/consumer/consumer';
import { Live } from '@caravan/service-kit/live/live';
import { Pool } from '@caravan/service-kit/storage/pool';
import { type Sweep, Sweeps } from '@caravan/service-kit/jobs/sweeps';
import { Inject, Injectable } from '@nestjs/common';
import { OrganisationWeek, zonesOf } from '../directory/index.ts';
import { figuresFor, findChallenge, noChallenge } from './progress.query.ts';
import { progressAnswer } from './progress.ts';
import { challengesOfWeek, plannedChallenge } from './weeks.query.ts';
import { forgetChallenges, openWeek } from './weeks.store.ts';
import { organisationsWithOpenedWeek } from './weeks.system.query.ts';
import { forgetTemplates } from '../challenge-templates/index.ts';
import type { AfterOrganisationNews } from '../ports.ts';

/** A week is opened once, with the challenges that the organisation's templates say (D14). */
@Injectable()
export class WeeksService implements AfterOrganisationNews {
  private readonly organisations: Sweep;

  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(OrganisationWeek) private readonly week: OrganisationWeek,
    @Inject(Live) private readonly live: Live,
    @Inject(Sweeps) sweeps: Sweeps,
  ) {
    this.organisations = sweeps.of('scoring.open-weeks');
  }

  async afterFounded({ orgId, at }: { orgId: string; at: Date }, batch: BatchContext): Promise<void> {
    const startsOn = organisationWeekOf(await zonesOf(batch.tx, orgId), at);
    await openWeek(batch.tx, { orgId, startsOn, at });
    batch.afterCommit(() => this.announce(orgId));
  }

  async afterClosed(orgId: string, { tx }: BatchContext): Promise<void> {
    await forgetTemplates(tx, orgId);
    await forgetChallenges(tx, orgId);
  }

  async running(orgId: string, at: Date): Promise<WeeklyChallenge[]> {
    const startsOn = await this.week.startOf(orgId, at);
    return withTenant(this.pool, orgId, (tx) => challengesOfWeek(tx, { orgId, startsOn }));
  }

  async openRunning(orgId: string, at: Date): Promise<void> {
    await this.open(orgId, await this.week.startOf(orgId, at), at);
  }

  /** Throws `Rejected` for an unknown challenge. */
  async progress(caller: Caller, challengeId: string): Promise<ChallengeProgress> {
    const startsOn = await this.week.startOf(caller.orgId, caller.at);
    return withTenant(this.pool, caller.orgId, async (tx) => {
      const known = await findChallenge(tx, caller, challengeId);
      const challenge = known ?? (await plannedChallenge(tx, { ...caller, startsOn }, challengeId));
      if (!challenge) throw noChallenge();
      const figures = await figuresFor(tx, { ...caller, teamId: challenge.teamId }, challenge);
      return progressAnswer(challenge, figures, challenge.isClaimed);
    });
  }

  /** Also what was missed while this service stood still. */
  async openAll(at: Date): Promise<void> {
    await this.organisations.each(
      await organisationsWithOpenedWeek(this.pool),
      ({ orgId }) => orgId,
      async ({ orgId, zones, openedWeek }) => {
        const startsOn = organisationWeekOf(zones, at);
        if (openedWeek === null || openedWeek < startsOn) await this.open(orgId, startsOn, at);
      },
    );
  }

  private async open(orgId: string, startsOn: string, at: Date): Promise<void> {
    const isNew = await withTenant(this.pool, orgId, (tx) => openWeek(tx, { orgId, startsOn, at }));
    if (isNew) this.announce(orgId);
  }

  private announce(orgId: string): void {
    this.live.publish(orgId, ['challenges', 'stats', 'board']);
  }
}
