import { postOf } from '../../lib/answers.ts';
import { pagedQuery } from '../../lib/pages.ts';

const pageSize = 10;

/** The posts of one tab. */
export const feedQuery = (tab: FeedTab) => pagedQuery(['/api/feed', tab], pageSize, postOf);

const feedTabs = ['all', 'mine', 'team'] as const;
export type FeedTab = (typeof feedTabs)[number];

/** What was stored last time, else all (9.21). */
export const feedTabOf = (stored: string | null): FeedTab => feedTabs.find((tab) => tab === stored) ?? 'all';
