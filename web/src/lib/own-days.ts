import type { OwnDays } from '@caravan/contracts/http/scores';
import { readOwnDays } from './api/generated/sdk.gen.ts';
import { complete } from './complete.ts';
import { dataQuery } from './query-client.ts';

/** Own miles by local date of the last twelve weeks, and the days on which a freeze kept the streak. */
export const ownDaysQuery = dataQuery<OwnDays>(['/api/miles/days'], async (options) =>
  complete<OwnDays>(await readOwnDays(options), { from: '', to: '', today: '', days: [], restDays: [] }),
);
