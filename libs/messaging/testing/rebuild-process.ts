import { groupsOf } from '../consumer/consumer.ts';
import { finishRebuild } from '../operator/rebuild-read-model.ts';
import { seeing } from './counting.ts';
import { hastyKafka, silent, type SuiteAddress } from './settings.ts';

// Fills and switches a read model in a process of its own, which a test may kill in the middle.
const suite = JSON.parse(process.argv[2] ?? '') as SuiteAddress;
process.stdin.resume().on('close', () => process.exit());
process.stdout.write('started\n');
await finishRebuild(
  {
    service: 'activity',
    databaseUrl: suite.databaseUrl,
    kafka: hastyKafka(suite, 6_000),
    log: silent,
    groups: groupsOf([seeing('one-by-one')]),
  },
  { name: 'seen', tables: ['seen'], groups: ['one-by-one'] },
);
process.exit(0);
