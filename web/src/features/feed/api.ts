import type { FeedPost } from '@caravan/contracts/http/feed';
import { pagedQuery } from '../../lib/paged-query.ts';
import type { FeedTab } from './feed-tab.ts';

const pageSize = 10;

/** The posts of one tab. */
export const feedQuery = (tab: FeedTab) => pagedQuery<FeedPost>(['/api/feed', tab], pageSize);
