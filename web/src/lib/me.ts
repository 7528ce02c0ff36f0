import { meOf } from './answers.ts';
import { readMe } from './api/generated/sdk.gen.ts';
import { dataQuery } from './query-client.ts';

/** The signed-in person; also what verifies a stored session. */
export const meQuery = dataQuery(['/api/me'], async (options) => meOf(await readMe(options)));
