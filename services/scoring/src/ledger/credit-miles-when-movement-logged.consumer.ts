import { forgottenActivityName, productActivities } from '@caravan/contracts/activities';
import { movementLogged } from '@caravan/contracts/activity.events';
import type { Positions } from '@caravan/contracts/envelope';
import { daysBetween } from '@caravan/contracts/local-days';
import { milesOf } from '@caravan/contracts/miles';
import { movementEndOf } from '@caravan/contracts/movement-end';
import { EventStore } from '@caravan/event-store/event-store';
import type { CommandMeta, Tx } from '@caravan/event-store/event-store';
import { Rejected } from '@caravan/event-store/rejected';
import type { BatchContext, Consumed } from '@caravan/messaging/consumer';
import { Consumes } from '@caravan/messaging/consumes.decorator';
import { currentTraceparent } from '@caravan/service-kit/tracing';
import { Controller, Inject } from '@nestjs/common';
import { BadgeAwards, type Progress } from '../badge-awards.client.ts';
import { BoardUpkeep } from '../board-upkeep.client.ts';
import { ledgerStream, standingAfter } from '../ledger-stream.ts';
import type { CreditMiles } from './ledger.ts';
import type { StandingAfter } from './public-events.ts';
import { Patience } from './patience.ts';
import { standingOf } from './standing.query.ts';

type Logged = Consumed<typeof movementLogged>;

/** A log earns its miles: for the member, and for the team of that moment (D2, D5). */
@Controller()
export class CreditMilesWhenMovementLogged {
  private readonly patience = new Patience();

  constructor(
    @Inject(EventStore) private readonly store: EventStore,
    @Inject(BoardUpkeep) private readonly boards: BoardUpkeep,
    @Inject(BadgeAwards) private readonly badges: BadgeAwards,
  ) {}

  @Consumes({ group: 'scoring.credit-miles', from: 'activity', contract: movementLogged, locksKeys: true })
  async credit(event: Logged, batch: BatchContext): Promise<void> {
    const { orgId, data } = event;
    const before = await standingOf(batch.tx, { orgId, userId: data.userId });
    if (before.timeZone === null) throw this.unknown(orgId);
    this.patience.forget(orgId);
    const command = commandOf(event, before.timeZone);
    const meta = metaOf(event);
    const after = standingAfter(before, command);
    await this.store.within(batch.tx, meta).handle(ledgerStream, data.logId, command, after, { fresh: true });
    batch.gather(writeMovements, event);
    this.badges.consider(batch, progressOf(event, { meta, after, entries: before.entries + 1 }));
    batch.afterCommit(() => this.boards.settle(orgId));
  }

  /** The organisation's news comes by another topic and may be later; its weeks cannot be guessed. */
  private unknown(orgId: string): Rejected {
    const kind = this.patience.lastsFor(orgId, Date.now()) ? 'unavailable' : 'not-found';
    return new Rejected('ledger/organisation-unknown', kind, `Organisation ${orgId} is not known here`);
  }
}

function commandOf({ data }: Logged, timeZone: string): CreditMiles {
  const { logId, userId, teamId, centimiles, loggedOn, startedAt, loggedAt } = data;
  return {
    type: 'CreditMiles',
    logId,
    userId,
    teamId,
    centimiles,
    creditedOn: loggedOn,
    startedAt,
    loggedAt,
    timeZone,
  };
}

function progressOf(
  { data }: Logged,
  { meta, after, entries }: { meta: CommandMeta; after: StandingAfter; entries: number },
): Progress {
  const { startedOn, endedOn } = after.latestRun;
  const stand = {
    miles: milesOf(after.totalCentimiles),
    streakDays: daysBetween(startedOn, endedOn) + 1,
    entries,
    activityType: data.activityType,
  };
  return { meta, stand, endedAt: new Date(movementEndOf(data)), loggedAt: new Date(data.loggedAt) };
}

function metaOf({ orgId, key, occurredAt, position, positions }: Logged): CommandMeta {
  const causes: Positions = { ...positions, activity: position };
  const traceparent = currentTraceparent();
  const at = new Date(occurredAt);
  return { orgId, actorId: null, at, key, causes, ...(traceparent !== undefined && { traceparent }) };
}

/**
 * What the dashboards list as recent, one statement for a whole batch. What a member called an activity who has been
 * erased meanwhile is not written down any more.
 */
async function writeMovements(tx: Tx, events: readonly Logged[]): Promise<void> {
  const of = <Value>(value: (event: Logged) => Value) => events.map(value);
  await tx.query(
    `insert into credited_movements (org_id, log_id, user_id, team_id, activity_type, centimiles, ended_at)
     select org_id, log_id, user_id, team_id,
       case when activity_type <> all($8::text[]) and exists (
         select from members m where m.org_id = c.org_id and m.user_id = c.user_id and m.is_erased
       ) then $9 else activity_type end, centimiles, ended_at
     from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::text[], $6::int[], $7::timestamptz[])
       as c (org_id, log_id, user_id, team_id, activity_type, centimiles, ended_at)
     on conflict (org_id, log_id) do nothing`,
    [
      of(({ orgId }) => orgId),
      of(({ data }) => data.logId),
      of(({ data }) => data.userId),
      of(({ data }) => data.teamId),
      of(({ data }) => data.activityType),
      of(({ data }) => data.centimiles),
      of(({ data }) => movementEndOf(data)),
      productActivities,
      forgottenActivityName,
    ],
  );
}
