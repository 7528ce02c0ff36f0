import type { Tx } from '../core/event-store.ts';
import { type Answered, OpenTransaction } from './open-transaction.ts';

const isReading = (text: string): boolean => /^\s*select\b/i.test(text);

/** What one of several commands sees of the transaction that they share; knows whether that command left anything in it. */
export class UnitTransaction implements Tx {
  readonly shared: OpenTransaction;
  #hasWritten = false;

  constructor(shared: OpenTransaction) {
    this.shared = shared;
  }

  /** A statement that begins with `select` counts as reading. */
  query<Row extends object = Record<string, unknown>>(
    text: string,
    values?: readonly unknown[],
  ): Promise<Answered<Row>> {
    this.#hasWritten ||= !isReading(text);
    return this.shared.query<Row>(text, values);
  }

  noteWrite(): void {
    this.#hasWritten = true;
  }

  get hasWritten(): boolean {
    return this.#hasWritten;
  }
}

/** The transaction itself, where several share one: what is asked of it in one turn is coalesced by it. */
export const sharedOf = (tx: Tx): Tx => (tx instanceof UnitTransaction ? tx.shared : tx);

/** Before a statement that writes is issued on the transaction itself. */
export function openForWriting(tx: Tx): OpenTransaction | undefined {
  if (tx instanceof UnitTransaction) tx.noteWrite();
  const shared = sharedOf(tx);
  return shared instanceof OpenTransaction ? shared : undefined;
}
