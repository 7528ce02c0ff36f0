import { useState } from 'react';
import { storageKeys } from '../../lib/storage-keys.ts';
import { feedTabOf, type FeedTab } from './feed-tab.ts';

/** The chosen tab, remembered in this browser (2.87). */
export function useFeedTab(): [FeedTab, (tab: FeedTab) => void] {
  const [tab, setTab] = useState(() => feedTabOf(localStorage.getItem(storageKeys.feedTab)));
  const choose = (next: FeedTab) => {
    localStorage.setItem(storageKeys.feedTab, next);
    setTab(next);
  };
  return [tab, choose];
}
