import { useLingui } from '@lingui/react/macro';
import { type ReactNode, useState } from 'react';
import { storageKeys } from '../../lib/storage-keys.ts';
import { BesideStream, Page } from '../../ui/page.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { type FeedTab, feedTabOf } from './api.ts';
import { Posts, type ThreadOf } from './posts.tsx';

/**
 * The feed of the organisation, of oneself, or of the own team.
 * @param side stands beside it on wide screens
 */
export function Feed({ threadOf, side }: { threadOf?: ThreadOf; side?: ReactNode }) {
  const { t } = useLingui();
  const [tab, setTab] = useFeedTab();
  return (
    <Page title={t`Activity Feed`} width={side ? 'page' : 'text'}>
      <BesideStream
        side={side}
        stream={
          <Tabs
            label={t`Activity Feed`}
            value={tab}
            onChange={setTab}
            tabs={[
              { value: 'all', label: t`All Activity` },
              { value: 'mine', label: t`My Activity` },
              { value: 'team', label: t`Team Feed` },
            ]}
          >
            <Posts key={tab} tab={tab} threadOf={threadOf} />
          </Tabs>
        }
      />
    </Page>
  );
}

/** The chosen tab, remembered in this browser (2.87). */
function useFeedTab(): [FeedTab, (tab: FeedTab) => void] {
  const [tab, setTab] = useState(() => feedTabOf(localStorage.getItem(storageKeys.feedTab)));
  const choose = (next: FeedTab) => {
    localStorage.setItem(storageKeys.feedTab, next);
    setTab(next);
  };
  return [tab, choose];
}
