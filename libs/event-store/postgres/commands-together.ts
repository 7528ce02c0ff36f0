import { AsyncLocalStorage } from 'node:async_hooks';
import type { FactKey } from '@caravan/contracts/events/fact-key';
import pg from 'pg';
import { BatchCoalescer } from './batch-coalescer.ts';
import { BoundedPool, tooMany } from './bounded-pool.ts';
import type { CommandMeta, Committed, IdempotentRequest, Unit } from '../core/event-store.ts';
import { claimTogether, type Kept, keepTogether } from './idempotency.ts';
import { inTransaction, type OpenTransaction, RolledBack, Scope } from './open-transaction.ts';
import { PostgresUnit } from './postgres-unit.ts';
import { Rejected } from '@caravan/kernel/rejected';
import { contended } from '../core/decide.ts';
import { UnitTransaction } from './unit-transaction.ts';

/** The locks of all their keys are held until the transaction ends. */
const mostTogether = 32;
/** One that waits for a lock does not hold up the rest of its organisation for longer. */
const holdBackMilliseconds = 50;

type SharedCommand = {
  readonly meta: CommandMeta;
  readonly work: (unit: Unit) => Promise<unknown>;
  readonly request: IdempotentRequest | undefined;
  /** Runs in the context of the request that brought the command. */
  readonly inContext: <Result>(run: () => Result) => Result;
};

type Options = {
  readonly pool: pg.Pool;
  readonly alone: (command: SharedCommand) => Promise<unknown>;
  readonly onPublished: (committed: Omit<Committed, 'service'>) => void;
};

/** Commands that share transactions with others of their organisation, since row-level security names one for each. */
export class OrganisationCommands {
  readonly #options: Options;
  readonly #ofOrganisation = new Map<string, BatchCoalescer<SharedCommand, unknown>>();
  #unanswered = 0;

  constructor(options: Options) {
    this.#options = options;
  }

  async run<Answer, Key extends FactKey>(
    meta: CommandMeta<Key>,
    work: (unit: Unit<Key>) => Promise<Answer>,
    request?: IdempotentRequest,
  ): Promise<Answer> {
    const { pool } = this.#options;
    if (pool instanceof BoundedPool && this.#unanswered >= pool.mostWaiting + mostTogether) throw tooMany();
    const { orgId } = meta;
    const commands = this.#ofOrganisation.get(orgId) ?? commandsOfOrganisation(this.#options);
    this.#ofOrganisation.set(orgId, commands);
    this.#unanswered += 1;
    try {
      const inContext = AsyncLocalStorage.snapshot();
      return (await commands.add({ meta, work: work as SharedCommand['work'], request, inContext })) as Answer;
    } finally {
      this.#unanswered -= 1;
      if (commands.isIdle) this.#ofOrganisation.delete(orgId);
    }
  }
}

/** The commands of one organisation, several in one transaction; one whose batch fails is run alone. */
const commandsOfOrganisation = ({ pool, alone, onPublished }: Options): BatchCoalescer<SharedCommand, unknown> =>
  new BatchCoalescer<SharedCommand, unknown>({
    take: nextOf,
    holdBackMilliseconds,
    apply: async (commands) => {
      const [one, another] = commands;
      const eachAlone = () => Promise.allSettled(commands.map((command) => command.inContext(() => alone(command))));
      if (!one || !another) return eachAlone();
      const commit = { wasSent: false };
      const together = async (tx: OpenTransaction) => {
        const answers = await runAll(tx, commands, onPublished);
        commit.wasSent = true;
        return answers;
      };
      try {
        // Who came last has most time left.
        const { inContext } = commands.at(-1) ?? one;
        return await inContext(() => inTransaction(pool, Scope.tenant(one.meta.orgId), together));
      } catch (reason) {
        return commit.wasSent && !isRolledBack(reason)
          ? commands.map(() => ({ status: 'rejected', reason }))
          : eachAlone();
      }
    },
  });

/** What failed after the commit was sent may count all the same, unless the server said that it does not. */
const isRolledBack = (error: unknown): boolean =>
  error instanceof RolledBack || (error instanceof pg.DatabaseError && !/^(08|57)/.test(error.code ?? '08'));

/** In order, of each person and of each request one at a time: the second one sees what the first left. */
function nextOf(waiting: readonly SharedCommand[], underWay: ReadonlySet<SharedCommand>): SharedCommand[] {
  const busy = new Set([...underWay].flatMap(namesOf));
  const taken: SharedCommand[] = [];
  for (const command of waiting) {
    const names = namesOf(command);
    if (taken.length < mostTogether && !names.some((name) => busy.has(name))) taken.push(command);
    for (const name of names) busy.add(name);
  }
  return taken;
}

const namesOf = ({ meta, request }: SharedCommand): string[] => [
  `key ${meta.key.id}`,
  ...(request ? [`request ${request.owner} ${request.key}`] : []),
];

type Ran = {
  readonly command: SharedCommand;
  readonly answer: PromiseSettledResult<unknown>;
  /** What is to be kept under the request's key; none of one that was refused or is kept already. */
  readonly kept?: Kept;
  readonly mustRunAlone?: boolean;
};

async function runAll(
  tx: OpenTransaction,
  commands: readonly SharedCommand[],
  onPublished: Options['onPublished'],
): Promise<readonly PromiseSettledResult<unknown>[]> {
  const requests = commands.map(({ request }) => request);
  const claims = claimTogether(tx, requests);
  // Before anything of theirs is read, and after the claims, as each alone does it: nobody waits in a circle.
  tx.defer('select es.lock_keys($1)', [[...new Set(commands.map(({ meta }) => meta.key.id))]]);
  const known = await claims;
  const ran = await Promise.all(
    commands.map((command, nth) => runOne(tx, { command, known: known.get(nth), onPublished })),
  );
  if (ran.some(({ mustRunAlone }) => mustRunAlone)) throw new Error('A command of several has to run alone');
  keepTogether(
    tx,
    ran.flatMap(({ command: { request }, kept }) => (request && kept ? [{ request, kept }] : [])),
  );
  return ran.map(({ answer }) => answer);
}

type Given = {
  readonly command: SharedCommand;
  readonly known: Kept | Rejected | undefined;
  readonly onPublished: Options['onPublished'];
};

/** Never rejects. */
async function runOne(shared: OpenTransaction, { command, known, onPublished }: Given): Promise<Ran> {
  const { meta, work, request, inContext } = command;
  const tell = (committed: Omit<Committed, 'service'>): void => inContext(() => onPublished(committed));
  if (known instanceof Rejected) return { command, answer: { status: 'rejected', reason: known } };
  if (known) {
    const { answer: value, published } = known;
    if (published) shared.afterCommit(() => tell({ ...published, key: meta.key, orgId: meta.orgId }));
    return { command, answer: { status: 'fulfilled', value } };
  }
  const tx = new UnitTransaction(shared);
  const unit = new PostgresUnit(tx, meta, { onPublished: tell, isShared: true, isOptimistic: false });
  try {
    const value = await inContext(() => work(unit));
    const kept = request && { answer: value, published: unit.published };
    return { command, answer: { status: 'fulfilled', value }, ...(kept && { kept }) };
  } catch (reason) {
    // Nothing of it is in the transaction, so the others may go on.
    const isRefused = reason instanceof Rejected && !tx.hasWritten && reason.code !== contended;
    return { command, answer: { status: 'rejected', reason }, mustRunAlone: !isRefused };
  }
}
