import { randomUUID } from 'node:crypto';
import type { movementRemoved } from '@caravan/contracts/events/activity.events';
import { personKey } from '@caravan/contracts/events/fact-key';
import { positionsOf } from '@caravan/contracts/events/log-position';
import { reachMilliseconds, type Recording } from '@caravan/contracts/domain/movement/same-workout';
import { EventStore, type PersonUnit, type Tx } from '@caravan/event-store/core/event-store';
import { Rejected } from '@caravan/kernel/rejected';
import type { Consumed } from '@caravan/messaging/consumer/consumer';
import { Inject, Injectable } from '@nestjs/common';
import type { AccountName } from '../ports.ts';
import { ProviderFailure } from '../providers/index.ts';
import { type Counts, countsOf, type Import, mergeImport, settleImports } from './import.ts';
import * as store from './imports.store.ts';
import { type OwnLogFact, ownLogsBetween, removeOwnLog, saveOwnLog } from './own-logs.store.ts';
import { overridden, importsAfterRemoval, withoutThoseOf } from './own-word.ts';
import { workoutImported, workoutRetracted } from './public-events.ts';
import { type Observation, seenWorkout, type Source } from './workout.ts';

export type Account = AccountName & Omit<Source, 'isScored'> & { readonly connectedAt: Date };

type Change = {
  readonly before: readonly Import[];
  readonly after: readonly Import[];
  readonly ownLogs: readonly Recording[];
  /** Whose verdict is looked at anew; the others are there because it depends on them. */
  readonly isMeant?: (one: Import) => boolean;
};

const always: store.Stretch = { from: new Date('1900-01-01T00:00:00Z'), to: new Date('2200-01-01T00:00:00Z') };

/** What changes at some instants reaches so far; what is read reaches as far again, because verdicts depend on it. */
function around(instants: readonly number[]) {
  const first = Math.min(...instants);
  const last = Math.max(...instants);
  const within = (times: number): store.Stretch => ({
    from: new Date(first - times * reachMilliseconds),
    to: new Date(last + times * reachMilliseconds),
  });
  const near = within(1);
  const isMeant = ({ judged }: Import) => {
    const at = judged?.startedAt ?? new Date(first);
    return at >= near.from && at <= near.to;
  };
  return { read: within(2), isMeant };
}

const newId = () => randomUUID();

/** What platforms told, as rows, and what others are told of it, in one transaction (ADR 0065). */
@Injectable()
export class ImportsService {
  constructor(@Inject(EventStore) private readonly events: EventStore) {}

  /** `alongside` is in the same transaction, after the rows: what was done, so that it is not done again. */
  see(
    account: Account,
    observations: readonly Observation[],
    alongside: (tx: Tx, counts: Counts) => Promise<void>,
  ): Promise<Counts> {
    return this.inTurn(account, async (unit) => {
      const isScored = await store.consentOf(unit.tx, account);
      if (isScored === undefined) throw new ProviderFailure('reconnect', 'the account is not connected any more');
      const externalIds = observations.map(({ externalId }) => externalId);
      const { own, foreign } = await store.knownByIds(unit.tx, account, externalIds);
      const ours = observations.filter(({ externalId }) => !foreign.has(externalId));
      const news = ours.map((one) => seenWorkout(one, account.connectedAt));
      const instants = [...own, ...news].flatMap(({ judged }) => judged?.startedAt.getTime() ?? []);
      const { read, isMeant } = around(instants.length > 0 ? instants : [unit.meta.at.getTime()]);
      const near = instants.length > 0 ? await store.importsBetween(unit.tx, account, read) : [];
      const ownLogs = instants.length > 0 ? await ownLogsBetween(unit.tx, account, read) : [];
      const before = [...own, ...near.filter(({ importId }) => own.every((one) => one.importId !== importId))];
      const source: Source = { provider: account.provider, audience: account.audience, isScored };
      const counts = await this.write(unit, account, {
        before,
        after: mergeImport(before, news, { source, newId }),
        ownLogs,
        isMeant,
      });
      const raw = ours.flatMap(({ externalId, seenAt, workout }) =>
        workout ? [{ externalId, seenAt, raw: workout.raw ?? null }] : [],
      );
      if (raw.length > 0) await store.keepRaw(unit.tx, account, raw);
      const all = { ...counts, skipped: { ...counts.skipped, ...duplicatesOf(counts, foreign.size) } };
      await alongside(unit.tx, all);
      return all;
    });
  }

  async rescore(account: AccountName, isScored: boolean): Promise<void> {
    await this.inTurn(account, async (unit) => {
      const before = await store.allImports(unit.tx, account);
      const ownLogs = await ownLogsBetween(unit.tx, account, always);
      const after = before.map((one) =>
        one.provider === account.provider ? rescoreImport(one, isScored, unit.meta.at) : one,
      );
      await this.write(unit, account, { before, after, ownLogs });
    });
  }

  /** The workouts go; what they stood for at another platform counts from now on. */
  async retractAll(account: AccountName): Promise<number> {
    return this.inTurn(account, async (unit) => {
      const all = await store.allImports(unit.tx, account);
      const before = all.filter(({ provider }) => provider !== account.provider);
      const ended = all.flatMap(({ provider, told }) => (provider === account.provider ? (told.logId ?? []) : []));
      const { at } = unit.meta;
      await Promise.all(
        ended.map((logId) => unit.publish(workoutRetracted(account.userId, { logId, why: 'disconnected' }, at))),
      );
      await store.forgetImports(unit.tx, account);
      const ownLogs = await ownLogsBetween(unit.tx, account, always);
      await this.write(unit, account, { before, after: withoutThoseOf(all, account.provider), ownLogs });
      return ended.length;
    });
  }

  /** D25: their member's word on whether it counts. Throws `Rejected`. */
  async override(owner: store.Owner, importId: string, counts: boolean): Promise<void> {
    await this.inTurn(owner, async (unit) => {
      const before = await store.allImports(unit.tx, owner);
      const meant = before.find((one) => one.importId === importId);
      if (!meant?.judged) throw new Rejected('fitness/workout-not-found', 'not-found', 'Not found');
      if (meant.judged.why !== null)
        throw new Rejected('fitness/cannot-count', 'conflict', 'This workout cannot count.');
      const ownLogs = await ownLogsBetween(unit.tx, owner, always);
      const after = overridden(before, ownLogs, { importId, counts });
      await this.write(unit, owner, { before, after, ownLogs });
    });
  }

  /** A log of the timer or by hand: the same workout of a platform may count no more, or again. Answers whether one changed. */
  async seeOwnLog(tx: Tx, fact: OwnLogFact): Promise<boolean> {
    const owner = { orgId: fact.orgId, userId: fact.data.userId };
    await store.lineUp(tx, owner);
    const saved = await saveOwnLog(tx, fact);
    if (!saved) return false;
    const instants = [new Date(fact.data.startedAt), ...(saved.wasStartedAt ? [saved.wasStartedAt] : [])];
    return this.settleAround(tx, fact, instants);
  }

  /** A log is gone; what is the same may count in its place, but not an import that its member deleted by hand. */
  async remove(tx: Tx, fact: Consumed<typeof movementRemoved>): Promise<boolean> {
    const { logId, userId, removedAt } = fact.data;
    const owner = { orgId: fact.orgId, userId };
    await store.lineUp(tx, owner);
    const startedAt = await removeOwnLog(tx, owner.orgId, logId);
    if (startedAt) return this.settleAround(tx, fact, [startedAt]);
    // Without an actor it was retracted here.
    if (fact.actorId !== userId || !(await store.isOfImport(tx, owner, logId))) return false;
    const before = await store.allImports(tx, owner);
    const ownLogs = await ownLogsBetween(tx, owner, always);
    const after = importsAfterRemoval(before, logId, new Date(removedAt));
    await this.write(this.within(tx, fact), owner, { before, after, ownLogs });
    return true;
  }

  private async settleAround(tx: Tx, fact: PersonFact, instants: readonly Date[]): Promise<boolean> {
    const owner = { orgId: fact.orgId, userId: fact.data.userId };
    const { read, isMeant } = around(instants.map((at) => at.getTime()));
    const before = await store.importsBetween(tx, owner, read);
    if (before.length === 0) return false;
    const ownLogs = await ownLogsBetween(tx, owner, read);
    return this.write(this.within(tx, fact), owner, { before, after: before, ownLogs, isMeant }).then(
      ({ imported, removed: retracted, skipped }) => imported + retracted + Object.keys(skipped).length > 0,
    );
  }

  private within(tx: Tx, fact: PersonFact): PersonUnit {
    const at = new Date(fact.occurredAt);
    const key = personKey(fact.data.userId);
    return this.events.within(tx, { orgId: fact.orgId, actorId: null, at, key, causes: positionsOf(fact) });
  }

  private inTurn<Answer>(owner: store.Owner, work: (unit: PersonUnit) => Promise<Answer>): Promise<Answer> {
    const meta = { orgId: owner.orgId, actorId: null, at: new Date(), key: personKey(owner.userId) };
    return this.events.transaction(meta, async (unit) => {
      await store.lineUp(unit.tx, owner);
      return work(unit);
    });
  }

  private async write(unit: PersonUnit, owner: store.Owner, change: Change): Promise<Counts> {
    const { before, after, ownLogs, isMeant } = change;
    const result = settleImports(after, newId, { ownLogs, isMeant });
    const textBefore = new Map(before.map((one) => [one.importId, JSON.stringify(one)]));
    const changed = result.imports.filter((one) => textBefore.get(one.importId) !== JSON.stringify(one));
    await store.save(unit.tx, owner, changed);
    const { at } = unit.meta;
    await Promise.all(
      result.tellings.map((telling) =>
        unit.publish(
          telling.is === 'retracted'
            ? workoutRetracted(owner.userId, telling, at)
            : workoutImported(owner.userId, telling, at),
        ),
      ),
    );
    return countsOf(before, result);
  }
}

type PersonFact = OwnLogFact | Consumed<typeof movementRemoved>;

/** With the consent it can be credited from then on. */
function rescoreImport(one: Import, isScored: boolean, at: Date): Import {
  return { ...one, isScored, creditableAt: isScored && !one.isScored ? at : one.creditableAt };
}

/** Of those that a colleague's account brought before. */
const duplicatesOf = ({ skipped }: Counts, foreign: number) =>
  foreign > 0 ? { duplicate: (skipped.duplicate ?? 0) + foreign } : {};
