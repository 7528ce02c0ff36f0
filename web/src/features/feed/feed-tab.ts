export const feedTabs = ['all', 'mine', 'team'] as const;
export type FeedTab = (typeof feedTabs)[number];

/** What was stored last time, else all (9.21). */
export const feedTabOf = (stored: string | null): FeedTab => feedTabs.find((tab) => tab === stored) ?? 'all';
