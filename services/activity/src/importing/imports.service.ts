import { personKey, type PersonKey } from '@caravan/contracts/events/fact-key';
import type { workoutImported, workoutRetracted } from '@caravan/contracts/events/integrations.events';
import { newestOf } from '@caravan/contracts/domain/movement/log-news';
import { positionsOf } from '@caravan/contracts/events/log-position';
import { allSettled } from '@caravan/event-store/core/all-settled';
import { type CommandMeta, EventStore, type Tx } from '@caravan/event-store/core/event-store';
import { Rejected } from '@caravan/kernel/rejected';
import type { Consumed } from '@caravan/messaging/consumer/consumer';
import { DependencyTimeout } from '@caravan/messaging/consumer/dependency-timeout';
import { erasedAmong } from '@caravan/messaging/consumer/erasure';
import { currentTraceparent } from '@caravan/service-kit/telemetry/tracing';
import { Inject, Injectable } from '@nestjs/common';
import {
  activityNameOf,
  countOthers,
  movementStream,
  recordingOfLog,
  recount,
  type Recount,
  writeTexts,
} from '../logging/index.ts';
import { commandOf, type ImportingMember, recordingOfWorkout, retractionOf, textsOf } from './workouts.ts';

type Told = { readonly logId: string } & (
  | { readonly is: 'logged'; readonly revision: number; readonly event: Consumed<typeof workoutImported> }
  | { readonly is: 'removed'; readonly event: Consumed<typeof workoutRetracted> }
);
type Whose = { readonly orgId: string; readonly userId: string };

const idOf = ({ orgId, userId }: Whose): string => `${orgId} ${userId}`;
const whoseOf = ({ event }: Told): Whose => ({ orgId: event.orgId, userId: event.data.userId });

/** A batch is entered as a set (ADR 0066): the first days of an account bring hundreds of one member. */
@Injectable()
export class ImportsService {
  private readonly timeout = new DependencyTimeout();

  constructor(@Inject(EventStore) private readonly store: EventStore) {}

  /** Under the members' locks. Throws `Rejected` while a member's team and zone are not known here. */
  readonly enter = async (tx: Tx, all: readonly Told[]): Promise<void> => {
    const members = await this.membersOf(tx, all.map(whoseOf));
    const news = newestOf(all, ({ event, logId }) => `${event.orgId} ${logId}`);
    // Members that were erased have no logs to come.
    const ofMembers = Map.groupBy(
      news.filter((told) => members.has(idOf(whoseOf(told)))),
      (told) => idOf(whoseOf(told)),
    );
    const entered = await allSettled([...ofMembers].map(([id, told]) => this.enterOnes(tx, told, members.get(id))));
    await writeTexts(tx, entered.flat().map(textsToKeep));
  };

  /** What a batch brings of one member, beside what is the same workout (D25). Answers what was news. */
  private async enterOnes(tx: Tx, all: readonly Told[], member: ImportingMember | undefined): Promise<Told[]> {
    const [last] = all.slice(-1);
    if (!last || !member) return [];
    const unit = this.store.within(tx, metaOf(last.event));
    const changes = await allSettled(
      all.map(async (told) => ({
        before: isFirst(told) ? null : ((await recordingOfLog(unit, told.logId)) ?? null),
        after: told.is === 'logged' ? recordingOfWorkout(told.event.data) : null,
      })),
    );
    const beside = await recount(unit, changes);
    await countOthers(unit, beside.ended);
    const entered = await allSettled(
      all.map(async (told) => ((await this.enterOne(tx, told, { member, beside })) ? [told] : [])),
    );
    await countOthers(unit, beside.begun);
    return entered.flat();
  }

  /** False when it was no news. */
  private async enterOne(
    tx: Tx,
    told: Told,
    { member, beside }: { readonly member: ImportingMember; readonly beside: Recount },
  ): Promise<boolean> {
    const unit = this.store.within(tx, metaOf(told.event));
    const { logId } = told;
    if (told.is === 'removed') {
      const { events } = await unit.handle(movementStream, logId, retractionOf(told.event.data), textsOf(null));
      return events.length > 0;
    }
    const { data } = told.event;
    const activity = activityNameOf(data.activityType);
    const command = commandOf(data, member, { activity, notCounted: beside.notCounted(logId) });
    const texts = textsOf(data);
    const { events } =
      data.revision === 1
        ? await unit.create(movementStream, logId, command, texts)
        : await unit.handle(movementStream, logId, command, texts);
    return events.length > 0;
  }

  private async membersOf(tx: Tx, whose: readonly Whose[]): Promise<ReadonlyMap<string, ImportingMember>> {
    const { rows } = await tx.query<Whose & ImportingMember>(
      `select org_id, user_id, team_id, time_zone from members
       where (org_id, user_id) in (select * from unnest($1::uuid[], $2::uuid[]))`,
      [whose.map(({ orgId }) => orgId), whose.map(({ userId }) => userId)],
    );
    const members = new Map(rows.map((row) => [idOf(row), row]));
    const missing = whose.filter((one) => !members.has(idOf(one)));
    const erased = new Set(
      await erasedAmong(
        tx,
        missing.map(({ userId }) => userId),
      ),
    );
    for (const one of whose) if (members.has(idOf(one))) this.timeout.forget(idOf(one));
    for (const one of missing) if (!erased.has(one.userId)) throw this.unknown(one);
    return members;
  }

  /** It comes by another topic and may be later; a log counts for its team for ever, so the team is not guessed (D2). */
  private unknown(one: Whose): Rejected {
    const kind = this.timeout.isWithin(idOf(one), Date.now()) ? 'unavailable' : 'not-found';
    return new Rejected('import/member-unknown', kind, `Member ${one.userId} is not known here`);
  }
}

const isFirst = (told: Told): boolean => told.is === 'logged' && told.revision === 1;

const textsToKeep = (told: Told) => ({
  ...whoseOf(told),
  logId: told.logId,
  texts: told.is === 'removed' ? null : textsOf(told.event.data),
});

function metaOf(event: Told['event']): CommandMeta<PersonKey> {
  const traceparent = currentTraceparent();
  return {
    orgId: event.orgId,
    actorId: null,
    at: new Date(event.occurredAt),
    key: personKey(event.data.userId),
    causes: positionsOf(event),
    ...(traceparent !== undefined && { traceparent }),
  };
}
