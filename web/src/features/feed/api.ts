import { postOf } from '../../lib/answers.ts';
import { pagedQuery } from '../../lib/paged-query.ts';
import type { FeedTab } from './feed-tab.ts';

const pageSize = 10;

/** The posts of one tab. */
export const feedQuery = (tab: FeedTab) => pagedQuery(['/api/feed', tab], pageSize, postOf);
