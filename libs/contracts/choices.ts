// What one chooses from, apart from the schemas, so that a browser can offer it without them.

/** The categories of the badge gallery, in its order (D13, D40). */
export const badgeCategories = ['Milestones', 'Streaks', 'Activity', 'Journey'] as const;

/** What a weekly challenge counts (D14). */
export const targetUnits = ['miles', 'days', 'activities', 'minutes'] as const;

/** Who a weekly challenge counts for (D14). */
export const challengeTypes = ['individual', 'team'] as const;
