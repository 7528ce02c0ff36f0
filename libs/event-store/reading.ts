import { AsyncLocalStorage } from 'node:async_hooks';

const reading = new AsyncLocalStorage<boolean>();

/**
 * Runs work that only reads: every transaction that it opens, or that anything opens which it begins, is read-only, so a
 * statement that writes fails with SQLSTATE 25006.
 */
export const onlyReading = <Result>(work: () => Result): Result => reading.run(true, work);

/** Runs work that notes, within a read, that somebody reads: the audit log is what reading leaves behind. */
export const notingTheReader = <Result>(work: () => Result): Result => reading.run(false, work);

/** True within `onlyReading`. */
export const isOnlyReading = (): boolean => reading.getStore() === true;

/**
 * Runs work that is for everybody though a request begins it, and outlives it: nothing that holds for that request, such
 * as only reading, holds for the work.
 */
export const outsideRequests = AsyncLocalStorage.snapshot();
