import { eventStoreContract } from './event-store.contract.ts';
import type { Committed } from '../core/event-store.ts';
import { createInMemoryEventStore } from './in-memory-event-store.ts';
import { coinsIn } from './jars.ts';

eventStoreContract('the event store in memory', async () => {
  const committed: Committed[] = [];
  const store = createInMemoryEventStore({ service: 'piggy-bank', onCommitted: (it) => committed.push(it) });
  return {
    store,
    committed,
    published: async (orgId) => store.published.filter((message) => message.orgId === orgId),
    logText: async () => JSON.stringify(store.log),
    coins: async (orgId, jarId) => coinsIn(store.statements, orgId, jarId),
    open: (_, work) => store.open(work),
  };
});
