import { createPool } from '@caravan/event-store/postgres';
import { GroupConsumer } from '../group-consumer.ts';
import { groupsOf } from '../groups.ts';
import { Relay } from '../relay.ts';
import { topicsOf } from '../topics-of.ts';
import { seeing, seeingTogether } from './counting.ts';
import { hastyKafka, silent, type SuiteAddress } from './settings.ts';

// A process that a test may kill, freeze and start again: a relay and the consumers of two groups, or one of both.
const [role, address] = process.argv.slice(2);
const suite = JSON.parse(address ?? '') as SuiteAddress;
const kafka = hastyKafka(suite);
const pool = createPool(suite.databaseUrl, { max: 4 });

if (role === 'relay') {
  new Relay({
    service: 'activity',
    pool,
    kafka,
    log: silent,
    settings: { reviewMs: 200, frozenAfterMs: 1_000, batchRows: 200 },
  }).start();
} else {
  for (const group of groupsOf([seeing('one-by-one'), seeingTogether('together')])) {
    const settings = { frozenAfterMs: 1_000, batchMessages: 100 };
    new GroupConsumer({ group, topics: topicsOf(group), kafka, pool, log: silent, settings }).start();
  }
}
// Nobody outlives the test that started it.
process.stdin.resume().on('close', () => process.exit());
process.stdout.write('started\n');
