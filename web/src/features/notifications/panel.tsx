import { useLingui } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Popover } from '../../ui/popover.tsx';
import { TooltipProvider } from '../../ui/tooltip.tsx';
import { Notices, NoticesHead } from './notice-list.tsx';
import styles from './notifications.module.css';

/** The notices behind the bell of wide screens; open at first, for a press has fetched it. */
export function Panel({ bell }: { bell: ReactNode }) {
  const { t } = useLingui();
  return (
    <TooltipProvider>
      <Popover label={t`Notifications`} trigger={bell} isOpenAtFirst content={Content} />
    </TooltipProvider>
  );
}

function Content({ onLeave }: { onLeave: () => void }) {
  const { t } = useLingui();
  return (
    <>
      <div className={styles.top}>
        <h2>{t`Notifications`}</h2>
        <NoticesHead onLeave={onLeave} />
      </div>
      <div className={styles.scroll}>
        <Notices onLeave={onLeave} />
      </div>
      <Link to="/notifications" className={styles.foot} onClick={onLeave}>
        {t`See all`}
      </Link>
    </>
  );
}
