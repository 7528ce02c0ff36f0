import { createPool } from '@caravan/event-store/postgres/connections';
import { ownBackground } from '@caravan/service-kit/testing/background';
import { GroupConsumer } from '../consumer/group-consumer.ts';
import { topicsOf } from '../consumer/kafka-batch-server.ts';
import { groupsOf } from '../consumer/consumer.ts';
import { Relay } from '../relay/relay.ts';
import { seeing, seeingTogether } from './counting.ts';
import { hastyKafka, silent, type SuiteAddress } from './settings.ts';

// One replica of a service: relay and the consumers of two groups, in a process that a test may kill or freeze.
const suite = JSON.parse(process.argv[2] ?? '') as SuiteAddress;
const kafka = hastyKafka(suite);
const parts = {
  kafka,
  log: silent,
  settings: { reviewMs: 200, frozenAfterMs: 1_000, batchRows: 200, batchMessages: 100, maxBackoffMs: 500 },
};

const relayPool = createPool(suite.databaseUrl, { max: 1 });
new Relay({ ...parts, service: 'activity', pool: relayPool, background: ownBackground() }).start();
const pool = createPool(suite.databaseUrl, { max: 4 });
for (const group of groupsOf([seeing('one-by-one'), seeingTogether('together')])) {
  new GroupConsumer({ ...parts, group, topics: topicsOf(group), pool }).start();
}
// Nobody outlives the test that started it.
process.stdin.resume().on('close', () => process.exit());
process.stdout.write('started\n');
