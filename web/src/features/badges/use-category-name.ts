import type { GalleryBadge } from '@caravan/contracts/http/badges';
import { useLingui } from '@lingui/react/macro';

/** The categories as people read them. */
export function useCategoryName() {
  const { t } = useLingui();
  const names: Record<GalleryBadge['category'], string> = {
    Milestones: t`Milestones`,
    Streaks: t`Streaks`,
    Activity: t`Activity`,
    Journey: t`Journey`,
  };
  return (category: GalleryBadge['category']) => names[category];
}
