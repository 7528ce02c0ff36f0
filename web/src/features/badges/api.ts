import { galleryBadgeOf } from '../../lib/answers.ts';
import { readBadgeGallery, readOwnBadges } from '../../lib/api/generated/sdk.gen.ts';
import { dataQuery } from '../../lib/query-client.ts';

/** What one has earned, for the strip and the notices (7). */
export const earnedBadgesQuery = dataQuery(['/api/user/badges'], readOwnBadges);

/** Everything that can be earned, with how far one is (7). */
export const galleryQuery = dataQuery(['/api/badges', 'all'], async (options) =>
  (await readBadgeGallery(options)).map(galleryBadgeOf),
);
