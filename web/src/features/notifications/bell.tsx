import { plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Link, useLocation } from '@tanstack/react-router';
import { Bell as BellIcon } from 'lucide-react';
import { type ComponentProps, useState } from 'react';
import { formatCount } from '../../lib/format.ts';
import { lazyPart } from '../../lib/lazy-part.ts';
import { useIsWide } from '../../lib/media.ts';
import { useSession } from '../../lib/session-state.ts';
import { OnDemand } from '../../ui/on-demand.tsx';
import { Hidden } from '../../ui/text.tsx';
import { unreadQuery } from './api.ts';
import styles from './bell.module.css';
import { unreadMark } from './notices.ts';

const fetchPanel = () => import('./panel.tsx');
const Panel = lazyPart(async () => (await fetchPanel()).Panel);

const path = '/notifications';

/** What one is told of: a panel below the header's bell, on phones a screen of its own (2.25, D27). */
export function Bell() {
  const isHere = useLocation({ select: ({ pathname }) => pathname === path });
  const unread = useUnread();
  const isWide = useIsWide();
  return (
    <>
      <News unread={unread} />
      {isWide ? <PanelBell unread={unread} /> : !isHere && <PageBell unread={unread} />}
    </>
  );
}

function useUnread(): number {
  const isSignedIn = useSession().status === 'signed-in';
  return useQuery({ ...unreadQuery, enabled: isSignedIn }).data?.count ?? 0;
}

/** Says what is seen: who speaks to the device names what stands there. */
function useName(unread: number): string {
  const { t } = useLingui();
  const mark = unreadMark(unread, formatCount);
  return mark === '' ? t`Notifications` : t`Notifications, ${mark} unread`;
}

/** The panel is fetched when somebody comes near. */
function PanelBell({ unread }: { unread: number }) {
  const { t } = useLingui();
  const name = useName(unread);
  const bell = (more: ComponentProps<'button'>) => (
    <button type="button" className={styles.bell} aria-label={name} {...more}>
      <Face unread={unread} />
    </button>
  );
  return (
    <OnDemand
      fetch={fetchPanel}
      button={(approach) =>
        bell({ title: t`Notifications`, 'aria-haspopup': 'dialog', 'aria-expanded': false, ...approach })
      }
    >
      <Panel bell={bell({})} />
    </OnDemand>
  );
}

const PageBell = ({ unread }: { unread: number }) => (
  <Link to={path} className={styles.bell} aria-label={useName(unread)}>
    <Face unread={unread} />
  </Link>
);

/** The dot always shows and says nothing (2.25); the number beside it does. */
const Face = ({ unread }: { unread: number }) => (
  <>
    <span className={styles.sign}>
      <BellIcon size={22} aria-hidden="true" />
      <span className={styles.dot} aria-hidden="true" />
    </span>
    {unread > 0 && (
      <span className={styles.number} aria-hidden="true">
        {unreadMark(unread, formatCount)}
      </span>
    )}
  </>
);

/** Says that there is more to read than before, when whoever listens has a moment. */
function News({ unread }: { unread: number }) {
  const [known, setKnown] = useState({ unread, isMore: false });
  if (known.unread !== unread) setKnown({ unread, isMore: unread > known.unread });
  return (
    <Hidden>
      <span aria-live="polite">
        {known.isMore && plural(unread, { one: '# unread notification', other: '# unread notifications' })}
      </span>
    </Hidden>
  );
}
