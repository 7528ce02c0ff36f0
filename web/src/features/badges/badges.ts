import { badgeCategories } from '@caravan/contracts/domain/choices';
import type { EarnedBadge, GalleryBadge } from '@caravan/contracts/http/badges';

const hourMilliseconds = 3_600_000;
const weekMilliseconds = 7 * 24 * hourMilliseconds;

type EarnedAt = Pick<EarnedBadge, 'dateEarned'>;

/** True within seven days after it was earned (9). @param now milliseconds since 1970 */
export const isNewThisWeek = (dateEarned: string | null, now: number): boolean =>
  dateEarned !== null && now - Date.parse(dateEarned) <= weekMilliseconds;

/** A badge of somebody: the same one earned by the next person in this browser is another. */
export const keyOfEarned = ({ badgeName, dateEarned }: EarnedBadge): string => `${badgeName} ${dateEarned}`;

/** Earned within the last hour and not told of yet, the earliest first (4, 9). */
export const untold = <Badge extends EarnedBadge>(
  badges: readonly Badge[],
  told: ReadonlySet<string>,
  now: number,
): Badge[] =>
  badges
    .filter((badge) => now - Date.parse(badge.dateEarned) <= hourMilliseconds && !told.has(keyOfEarned(badge)))
    .toSorted(byDate);

const byDate = (one: EarnedAt, other: EarnedAt): number => Date.parse(one.dateEarned) - Date.parse(other.dateEarned);

/** The latest first. */
export const latestFirst = <Badge extends EarnedAt>(badges: readonly Badge[]): Badge[] =>
  badges.toSorted(byDate).toReversed();

type Category = GalleryBadge['category'];

/** The categories that have badges, in the order of the catalogue. */
export const categoriesOf = (badges: readonly GalleryBadge[]): Category[] =>
  badgeCategories.filter((category) => badges.some((badge) => badge.category === category));

/** What is still to do, without the dust of binary fractions. */
export const awayFrom = ({ current, target }: GalleryBadge['progress']): number =>
  Math.max(0, Math.round((target - current) * 100) / 100);

export const shareOf = ({ current, target }: GalleryBadge['progress']): number =>
  target > 0 ? Math.min(1, Math.max(0, current / target)) : 0;

/** Those that were earned last, the latest first. */
export const latestEarned = (badges: readonly GalleryBadge[], most: number): GalleryBadge[] =>
  latestFirst(
    badges.flatMap((badge) => {
      const { isEarned, dateEarned } = badge;
      return isEarned && dateEarned !== null ? [{ badge, dateEarned }] : [];
    }),
  )
    .slice(0, most)
    .map(({ badge }) => badge);

/** The one of which the largest part is done; none before anything of one is. */
export const nextBadge = (badges: readonly GalleryBadge[]): GalleryBadge | undefined =>
  badges
    .filter(({ isEarned, progress }) => !isEarned && shareOf(progress) > 0)
    .toSorted((one, other) => shareOf(other.progress) - shareOf(one.progress))[0];
