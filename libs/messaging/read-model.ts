import type { PublicEventContract } from '@caravan/contracts/envelope';
import type { BatchContext, Consumed } from './consumer.ts';

/** What a consumer's rows may be written with when they are made again: nothing that reaches further than rows. */
export type RowContext = Pick<BatchContext, 'tx' | 'group' | 'enqueueWrite'>;

/** What is done with a fact instead of the group's own method, which does more than write rows: it decides. */
export type RowsOnly = {
  readonly group: string;
  readonly contract: PublicEventContract;
  write(event: Consumed, context: RowContext): unknown;
};

/**
 * Rows that consumers write and that can be made again from what other services publish (ADR 0039). What one group writes
 * is made again together, and so is what several groups write into one table.
 */
export type ReadModel = {
  readonly name: string;
  /** Its tables, without a schema. */
  readonly tables: readonly string[];
  /** The consumer groups that write them. */
  readonly groups: readonly string[];
  /** Facts on which the groups do more than write these rows; a function that does nothing where they write none. */
  readonly instead?: readonly RowsOnly[];
  /**
   * SQL for what the service's own commands wrote into the tables, run at the beginning and again at the switch, when
   * nobody writes. Tables are those of the new generation; the serving ones are named `public.…`.
   */
  readonly own?: readonly string[];
};

/** Declares what to write, and nothing else, on a fact of a group. */
export function rowsOnly<Contract extends PublicEventContract>(
  group: string,
  contract: Contract,
  write: (event: Consumed<Contract>, context: RowContext) => unknown,
): RowsOnly {
  return { group, contract, write: (event, context) => write(event as Consumed<Contract>, context) };
}
