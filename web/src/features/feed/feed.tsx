import { useLingui } from '@lingui/react/macro';
import { Page } from '../../ui/page.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { Posts } from './posts.tsx';
import { useFeedTab } from './use-feed-tab.ts';

/** What was logged: by everyone, by oneself, by the own team. */
export function Feed() {
  const { t } = useLingui();
  const [tab, setTab] = useFeedTab();
  return (
    <Page title={t`Activity Feed`} width="text">
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
        <Posts key={tab} tab={tab} />
      </Tabs>
    </Page>
  );
}
