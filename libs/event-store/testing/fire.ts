import { setTimeout as pause } from 'node:timers/promises';
import { random } from '@caravan/contracts/testing/seeded';
import { testServers } from '@caravan/service-kit/testing/servers';
import { Client } from '../postgres/client.ts';
import type { EventStore, Unit } from '../core/event-store.ts';
import { Rejected } from '@caravan/kernel/rejected';
import { fill, jars, note, somebody } from './jars.ts';

/** What the writers were told, to be compared with what is there. */
export type Account = {
  readonly acknowledged: Set<string>;
  readonly undone: Set<string>;
  /** How often a writer did not learn the outcome and asked again. */
  unknown: number;
};

class LostHeart extends Error {}

/** Members, of one organisation if it is named, who write until `enough` says stop; each asks again until it knows, like a client with an Idempotency-Key. */
export async function writeUnderFire(
  transaction: EventStore['transaction'],
  { writers, enough, orgId }: { writers: number; enough: (account: Account) => boolean; orgId?: string | undefined },
): Promise<Account> {
  const account: Account = { acknowledged: new Set(), undone: new Set(), unknown: 0 };
  // Two writers share a person, hence an ordering key and streams.
  const people = Array.from({ length: writers / 2 }, () => somebody(orgId === undefined ? {} : { orgId }));
  const write = async (index: number): Promise<void> => {
    const me = people[index % people.length] ?? somebody();
    for (let nth = 0; !enough(account); nth++) {
      const id = `${index}-${nth}`;
      const givesUp = random() < 0.05;
      await untilKnown(account, id, () => {
        const request = { owner: me.actorId, key: id, bodyHash: id };
        return transaction(me, (unit) => commandOf(unit, id, givesUp), request);
      });
    }
  };
  await Promise.all(Array.from({ length: writers }, (_, index) => write(index)));
  return account;
}

/** How many coins a command adds, to a jar of its own and to one that others fill as well. */
export const coinsPerCommand = { own: 4, shared: 3 };

async function commandOf(unit: Unit, id: string, givesUp: boolean): Promise<void> {
  const shared = `shared-${Math.floor(random() * 20)}`;
  await unit.create(jars, id, fill(id, coinsPerCommand.own), note);
  await unit.handle(jars, shared, fill(shared, coinsPerCommand.shared), note);
  if (random() < 0.2) await unit.publish({ type: 'JarRenamed', version: 1, data: { command: id } });
  if (givesUp) throw new LostHeart();
}

async function untilKnown(account: Account, id: string, run: () => Promise<unknown>): Promise<void> {
  for (;;) {
    try {
      await run();
      account.acknowledged.add(id);
      return;
    } catch (error) {
      if (error instanceof LostHeart || error instanceof Rejected) {
        account.undone.add(id);
        return;
      }
      account.unknown++;
      await pause(5 + random() * 20);
    }
  }
}

/** Kills connections of a database's runtime role one after the other until stopped. Answers how many. */
export function killConnections(runtimeUrl: string, everyMillis: number): { stop(): Promise<number> } {
  const stop = new AbortController();
  const { username: role, pathname } = new URL(runtimeUrl);
  const shoot = async (): Promise<number> => {
    const admin = new Client({ connectionString: testServers().postgresAdmin });
    await admin.connect();
    let killed = 0;
    while (!stop.signal.aborted) {
      const { rowCount } = await admin.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where usename = $1 and datname = $2 and state <> 'idle' order by random() limit 1`,
        [role, pathname.slice(1)],
      );
      killed += rowCount ?? 0;
      await pause(everyMillis);
    }
    await admin.end();
    return killed;
  };
  const done = shoot();
  return {
    stop() {
      stop.abort();
      return done;
    },
  };
}

/**
 * Looks at the outbox again and again, as a relay would, and counts messages that appear behind a position of their key
 * that was visible before: a relay that follows positions would have lost them.
 */
export function watchForLateMessages(
  query: <Row extends object>(text: string, values: readonly unknown[]) => Promise<Row[]>,
): { stop(): Promise<{ late: number; looks: number }> } {
  const stop = new AbortController();
  const watch = async () => {
    let seen: { key: string; last: number; count: number }[] = [];
    let late = 0;
    let looks = 0;
    for (; !stop.signal.aborted; looks++) {
      const behind = await query<{ late: number }>(
        `select (count(o.pos) - s.count)::integer as late
         from unnest($1::text[], $2::bigint[], $3::bigint[]) s (key, last, count)
         left join es.outbox o on o.partition_key = s.key and o.pos <= s.last group by s.key, s.count`,
        [seen.map(({ key }) => key), seen.map(({ last }) => last), seen.map(({ count }) => count)],
      );
      late += behind.reduce((sum, row) => sum + row.late, 0);
      seen = await query(`select partition_key as key, max(pos) as last, count(*) from es.outbox group by 1`, []);
      await pause(50);
    }
    return { late, looks };
  };
  const done = watch();
  return {
    stop() {
      stop.abort();
      return done;
    },
  };
}
