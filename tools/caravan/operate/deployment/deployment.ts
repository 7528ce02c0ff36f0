import { topics } from '@caravan/contracts/events/topics';
import { withKafka } from '../../servers/databases.ts';
import { databasesAndLag } from './databases.ts';
import { fine, type Finding, findingsOf, type Installation } from './installation.ts';
import { certificatesAre, mailServerIs, processesAre, redisAndClocks } from './surroundings.ts';

async function kafkaAndDatabases(installation: Installation): Promise<Finding[]> {
  return findingsOf('kafka', () =>
    withKafka([...installation.kafka], async (kafka) => [
      ...(await findingsOf('kafka', async () => {
        const names = Object.values(topics).map(({ name }) => name);
        const partitions = await kafka.endOffsets(names);
        return fine('kafka', `${names.length} topics with ${partitions.length} partitions are there`);
      })),
      ...(await databasesAndLag(installation, kafka)),
    ]),
  );
}

/** Looks at a running installation; the answer is the exit code: 1 when something needs somebody. */
export async function checkDeployment(installation: Installation, further: readonly Finding[] = []): Promise<number> {
  const parts = [processesAre, kafkaAndDatabases, redisAndClocks, mailServerIs, certificatesAre];
  const findings = [...further, ...(await Promise.all(parts.map((part) => part(installation)))).flat()];
  const width = Math.max(...findings.map(({ what }) => what.length)) + 2;
  for (const { mark, what, details } of findings) process.stdout.write(`${mark}  ${what.padEnd(width)}${details}\n`);
  return findings.some(({ mark }) => mark === '✗') ? 1 : 0;
}
