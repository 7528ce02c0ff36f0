import { beforeDatabaseDrops } from '@caravan/service-kit/testing/database';
import { broken } from './invariants.ts';

// Set up before every integration suite: whatever it did, the figures of a database with logs or a ledger must hold in
// the end. A suite runs one service, so what needs two of them is proven where the whole product runs; suites of the
// others change people by hand.
const withMiles = ['activity', 'scoring'] as const;

beforeDatabaseDrops(async ({ url, folders }) => {
  const service = withMiles.find((name) => folders.some((folder) => folder.includes(`services/${name}/prisma`)));
  const found = service === undefined ? [] : await broken({ [service]: url });
  if (found.length > 0)
    throw new Error(`After this suite these invariants of ${service} do not hold:\n${found.join('\n')}`);
});
