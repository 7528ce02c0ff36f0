import type { NotificationKind } from '@caravan/contracts/domain/notification-kinds';

type Named = {
  /** Alias of the row with what the member chose to show. */
  readonly person: string;
  /** Alias of the row that says whether the member is active. */
  readonly membership: string;
};

const needs: Readonly<Partial<Record<NotificationKind, (named: Named) => string>>> = {
  reaction: ({ person }) => `${person}.activity_visible`,
  comment: ({ person }) => `${person}.activity_visible`,
  mention: ({ person }) => `${person}.activity_visible`,
  follower: ({ person }) => `${person}.profile_visible`,
  'rank-lost': ({ person, membership }) =>
    `${membership}.is_active and ${person}.stats_visible and ${person}.profile_visible`,
};

/**
 * Whether a notice of the kind in this column may name a member, as SQL (D18). The notification centre, mails, pushes and
 * the export ask this one rule.
 */
export function isNamedInNoticeSql(kindColumn: string, named: Named): string {
  const cases = Object.entries(needs).map(([kind, need]) => `when '${kind}' then ${need(named)}`);
  return `(case ${kindColumn} ${cases.join(' ')} else true end)`;
}
