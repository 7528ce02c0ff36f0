import type { Notification } from '@caravan/contracts/http/notifications';
import { useLingui } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import clsx from 'clsx';
import { Bell, BellOff, Check, Ellipsis, type LucideIcon } from 'lucide-react';
import { useDistance } from '../../lib/units.ts';
import { Menu, MenuItem } from '../../ui/menu.tsx';
import { Hidden, RelativeTime } from '../../ui/text.tsx';
import { toast } from '../../ui/toast-state.ts';
import { useMarkRead, useMute } from './api.ts';
import { type Kind, kinds } from './kinds.ts';
import { placeOf } from './notices.ts';
import styles from './notifications.module.css';

const known: ReadonlyMap<string, Kind> = new Map(Object.entries(kinds));

/** One notice: to open it is to have read it. */
export function NoticeRow({ notice, onLeave }: { notice: Notification; onLeave?: (() => void) | undefined }) {
  const { t } = useLingui();
  const { mutate } = useMarkRead();
  const { units } = useDistance();
  const { id, link, isRead, createdAt } = notice;
  const text = units === 'metric' ? (notice.metricText ?? notice.text) : notice.text;
  // One of a kind that came after this page was built.
  const kind = known.get(notice.kind);
  const { to, search, hash } = placeOf(link);
  const markRead = () =>
    isRead ||
    mutate({ ids: [id] }, { onError: () => toast({ title: t`It could not be marked as read`, tone: 'error' }) });
  const open = () => {
    markRead();
    onLeave?.();
  };
  return (
    <li className={styles.notice} data-unread={!isRead}>
      <Sign icon={kind?.icon ?? Bell} tone={kind?.tone ?? 'plain'} />
      <div className={styles.said}>
        <Link to={to} search={search} hash={hash} className={styles.link} onClick={open}>
          {!isRead && <Hidden>{t`Unread:`} </Hidden>}
          <bdi>{text}</bdi>
        </Link>
        <p className={styles.when}>
          <RelativeTime at={createdAt} />
        </p>
      </div>
      <Menu
        trigger={
          <button type="button" className={styles.dots} aria-label={t`More about: ${text}`}>
            <Ellipsis size={20} aria-hidden="true" />
          </button>
        }
      >
        {!isRead && (
          <MenuItem icon={<Check size={20} aria-hidden="true" />} onSelect={markRead}>
            {t`Mark as read`}
          </MenuItem>
        )}
        {kind && <MuteItem of={notice.kind} name={kind.name} />}
      </Menu>
    </li>
  );
}

const Sign = ({ icon: Icon, tone }: { icon: LucideIcon; tone: Kind['tone'] }) => (
  <span className={clsx(styles.sign, styles[tone])} aria-hidden="true">
    <Icon size={20} />
  </span>
);

/** No more of this kind, with a way back. */
function MuteItem({ of, name: descriptor }: { of: Notification['kind']; name: Kind['name'] }) {
  const { t, i18n } = useLingui();
  const { mutate } = useMute();
  const name = i18n._(descriptor);
  const showFailure = () =>
    toast({ title: t`That could not be changed`, description: t`Please try again.`, tone: 'error' });
  const hear = () => mutate({ kind: of, isMuted: false }, { onError: showFailure });
  const mute = () => {
    mutate({ kind: of, isMuted: true }, { onError: showFailure });
    toast({
      title: t`Muted: ${name}`,
      description: t`You are not told of this any more.`,
      action: { label: t`Undo`, onPress: hear },
    });
  };
  return (
    <MenuItem icon={<BellOff size={20} aria-hidden="true" />} onSelect={mute}>
      {t`Mute: ${name}`}
    </MenuItem>
  );
}
