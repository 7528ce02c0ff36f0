import { randomUUID } from 'node:crypto';
import type { movementRemoved } from '@caravan/contracts/activity.events';
import { personKey } from '@caravan/contracts/fact-key';
import { workoutImported, workoutRetracted } from '@caravan/contracts/integrations.events';
import { positionsOf } from '@caravan/contracts/log-position';
import { EventStore, type PersonUnit, type Tx } from '@caravan/event-store/event-store';
import { Rejected } from '@caravan/event-store/rejected';
import type { Consumed } from '@caravan/messaging/consumer';
import { Inject, Injectable } from '@nestjs/common';
import type { AccountName } from '../ports.ts';
import { ProviderFailure } from '../providers/index.ts';
import { reachMilliseconds } from './counting.ts';
import { type Counts, countsOf, type Import, merged, settled } from './import.ts';
import * as store from './imports.store.ts';
import { overridden, removed, withoutThoseOf } from './own-word.ts';
import type { Telling } from './telling.ts';
import { type Observation, seen, type Source } from './workout.ts';

export type Account = AccountName & Omit<Source, 'isScored'> & { readonly connectedAt: Date };

type Change = {
  readonly before: readonly Import[];
  readonly after: readonly Import[];
  /** Whose verdict is looked at anew; the others are there because it depends on them. */
  readonly isMeant?: (one: Import) => boolean;
};

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
      const news = ours.map((one) => seen(one, account.connectedAt));
      const instants = [...own, ...news].flatMap(({ judged }) => judged?.startedAt.getTime() ?? []);
      const [first, last] = [Math.min(...instants), Math.max(...instants)];
      const apart = (times: number) => [first - times * reachMilliseconds, last + times * reachMilliseconds] as const;
      const [from, to] = apart(2).map((at) => new Date(at)) as [Date, Date];
      const around = instants.length > 0 ? await store.importsBetween(unit.tx, account, from, to) : [];
      const before = [...own, ...around.filter(({ importId }) => own.every((one) => one.importId !== importId))];
      const isMeant = ({ judged }: Import) => {
        const at = judged?.startedAt.getTime() ?? first;
        return at >= apart(1)[0] && at <= apart(1)[1];
      };
      const source: Source = { provider: account.provider, audience: account.audience, isScored };
      const counts = await this.write(unit, account, {
        before,
        after: merged(before, news, { source, newId }),
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
      const after = before.map((one) => (one.provider === account.provider ? { ...one, isScored } : one));
      await this.write(unit, account, { before, after });
    });
  }

  /** The workouts go; what they stood for at another platform counts from now on. */
  async retractAll(account: AccountName): Promise<number> {
    return this.inTurn(account, async (unit) => {
      const all = await store.allImports(unit.tx, account);
      const before = all.filter(({ provider }) => provider !== account.provider);
      const ended = all.flatMap(({ provider, told }) => (provider === account.provider ? (told.logId ?? []) : []));
      const retractedAt = unit.meta.at.toISOString();
      await Promise.all(
        ended.map((logId) =>
          unit.publish({
            ...{ type: workoutRetracted.type, version: workoutRetracted.version },
            data: workoutRetracted.data.parse({ logId, userId: account.userId, why: 'disconnected', retractedAt }),
          }),
        ),
      );
      await store.forgetImports(unit.tx, account);
      await this.write(unit, account, { before, after: withoutThoseOf(all, account.provider) });
      return ended.length;
    });
  }

  /** D25: their member's word on whether it counts. Throws `Rejected`. */
  async override(owner: store.Owner, importId: string, counts: boolean): Promise<void> {
    await this.inTurn(owner, async (unit) => {
      const before = await store.allImports(unit.tx, owner);
      const meant = before.find((one) => one.importId === importId);
      if (!meant?.judged) throw new Rejected('fitness/no-such-workout', 'not-found', 'Not found');
      if (meant.judged.why !== null)
        throw new Rejected('fitness/cannot-count', 'conflict', 'This workout cannot count.');
      await this.write(unit, owner, { before, after: overridden(before, importId, counts) });
    });
  }

  /** Its member has deleted a log by hand. False: it is none of an import. */
  async remove(tx: Tx, fact: Consumed<typeof movementRemoved>): Promise<boolean> {
    const { logId, userId, startedAt, durationMinutes, removedAt } = fact.data;
    const owner = { orgId: fact.orgId, userId };
    if (!(await store.isOfImport(tx, owner, logId))) return false;
    await store.lineUp(tx, owner);
    const before = await store.allImports(tx, owner);
    const log = { removedAt: new Date(removedAt), startedAt: new Date(startedAt), durationMinutes };
    const at = new Date(fact.occurredAt);
    const meta = { orgId: owner.orgId, actorId: null, at, key: personKey(userId), causes: positionsOf(fact) };
    await this.write(this.events.within(tx, meta), owner, { before, after: removed(before, logId, log) });
    return true;
  }

  private inTurn<Answer>(owner: store.Owner, work: (unit: PersonUnit) => Promise<Answer>): Promise<Answer> {
    const meta = { orgId: owner.orgId, actorId: null, at: new Date(), key: personKey(owner.userId) };
    return this.events.transaction(meta, async (unit) => {
      await store.lineUp(unit.tx, owner);
      return work(unit);
    });
  }

  private async write(unit: PersonUnit, owner: store.Owner, { before, after, isMeant }: Change): Promise<Counts> {
    const result = settled(after, newId, isMeant);
    const textBefore = new Map(before.map((one) => [one.importId, JSON.stringify(one)]));
    const changed = result.imports.filter((one) => textBefore.get(one.importId) !== JSON.stringify(one));
    await store.save(unit.tx, owner, changed);
    const factOf = factsAt(unit.meta.at, owner.userId);
    await Promise.all(result.tellings.map((telling) => unit.publish(factOf(telling))));
    return countsOf(before, result);
  }
}

/** Of those that a colleague's account brought before. */
const duplicatesOf = ({ skipped }: Counts, foreign: number) =>
  foreign > 0 ? { duplicate: (skipped.duplicate ?? 0) + foreign } : {};

const factsAt = (at: Date, userId: string) => (telling: Telling) => {
  if (telling.is === 'retracted') {
    const { logId, why } = telling;
    const data = workoutRetracted.data.parse({ logId, userId, why, retractedAt: at.toISOString() });
    return { type: workoutRetracted.type, version: workoutRetracted.version, data };
  }
  const { told, content } = telling;
  const data = workoutImported.data.parse({
    ...content,
    ...{ logId: told.logId, userId, revision: told.revision, importedAt: at.toISOString() },
  });
  return { type: workoutImported.type, version: workoutImported.version, data };
};
