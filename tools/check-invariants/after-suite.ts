import { beforeDatabaseDrops } from '@caravan/service-kit/testing/database';
import { brokenInvariants } from './invariants.ts';

// For every integration suite with logs or a ledger. What needs two services is proven in the whole product.
const withMiles = ['activity', 'scoring'] as const;

beforeDatabaseDrops(async ({ url, folders }) => {
  const service = withMiles.find((name) => folders.some((folder) => folder.includes(`services/${name}/prisma`)));
  const found = service === undefined ? [] : await brokenInvariants({ [service]: url });
  if (found.length > 0)
    throw new Error(`After this suite these invariants of ${service} do not hold:\n${found.join('\n')}`);
});
