// Apart from the schemas, so that a browser can offer it without them.

export const badgeCategories = ['Milestones', 'Streaks', 'Activity', 'Journey'] as const;

export const targetUnits = ['miles', 'days', 'activities', 'minutes'] as const;

export const challengeTypes = ['individual', 'team'] as const;
