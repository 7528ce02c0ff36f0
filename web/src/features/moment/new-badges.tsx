import type { EarnedBadge } from '@caravan/contracts/http/badges';
import { useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import styles from './moment.module.css';

/** Parts that other features draw; the route puts them in. */
export type MomentParts = {
  /** The team's road with these miles lit. */
  road: (miles: number) => ReactNode;
  /** The stop that the team passed with these miles. */
  stop: string | null;
  /** Badges that this log earned, the earliest first. */
  badges: readonly EarnedBadge[];
  emblem: (badge: EarnedBadge) => ReactNode;
};

/** Badges of this log, in place of their notices. */
export function NewBadges({ parts: { badges, emblem } }: { parts: MomentParts }) {
  const { t } = useLingui();
  if (badges.length === 0) return null;
  return (
    <ul className={styles.badges}>
      {badges.map((badge) => (
        <li key={badge.badgeName}>
          {emblem(badge)}
          <b>{t`You earned the ${badge.badgeName} badge!`}</b>
        </li>
      ))}
    </ul>
  );
}
