import { useLingui } from '@lingui/react/macro';
import { Suspense } from 'react';
import { lazyPart } from '../../lib/lazy-part.ts';
import { useIsSpacious } from '../../lib/media.ts';
import { BesideStream, Card, Page } from '../../ui/page.tsx';
import { Notices, NoticesHead } from './notice-list.tsx';
import styles from './notifications.module.css';

const NearbyKinds = lazyPart(async () => (await import('./notice-kinds.tsx')).NearbyKinds);

/** All that one was told in the last three months, and on wide screens beside it what one wants to be told of. */
export function Notifications() {
  const { t } = useLingui();
  const isSpacious = useIsSpacious();
  const stream = (
    <Card>
      <div className={styles.above}>
        <NoticesHead />
      </div>
      <Notices />
    </Card>
  );
  const side = (
    <Suspense>
      <NearbyKinds />
    </Suspense>
  );
  return (
    <Page title={t`Notifications`} width={isSpacious ? 'page' : 'text'}>
      <BesideStream stream={stream} side={isSpacious && side} />
    </Page>
  );
}
