import { AsyncLocalStorage } from 'node:async_hooks';

const reading = new AsyncLocalStorage<boolean>();

/** Every transaction that the work begins is read-only: a statement that writes fails with SQLSTATE 25006. */
export const onlyReading = <Result>(work: () => Result): Result => reading.run(true, work);

/** For the few reads that store something; each is declared by `storesSomething` in its operation and has a write limit. */
export const allowWrites = <Result>(work: () => Result): Result => reading.run(false, work);

export const isOnlyReading = (): boolean => reading.getStore() === true;

/** For work that a request begins and that outlives it: nothing of that request, such as only reading, holds for it. */
export const outsideRequests = AsyncLocalStorage.snapshot();
