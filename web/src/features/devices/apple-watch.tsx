import { useLingui } from '@lingui/react/macro';
import { Activity, Dumbbell, HeartPulse } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Hidden } from '../../ui/text.tsx';
import { appStoreLink, isIos } from './device.ts';
import styles from './devices.module.css';
import { DeviceRow } from './device-row.tsx';

/** The watch speaks through an app of its own (2.81). */
export function AppleWatchRow({ isMeant }: { isMeant: boolean }) {
  const { t } = useLingui();
  const [isOpen, setOpen] = useState(false);
  const name = t`Apple Watch`;
  return (
    <DeviceRow
      id="apple-watch"
      name={name}
      isMeant={isMeant}
      text={<p>{t`Through the companion app on your iPhone.`}</p>}
      action={
        <Dialog
          title={t`Connect your Apple Watch`}
          description={t`The companion app brings what your watch records to Caravan.`}
          isOpen={isOpen}
          onOpenChange={setOpen}
          trigger={
            <Button variant="quiet" size="small">
              {t`Connect`} <Hidden>{name}</Hidden>
            </Button>
          }
        >
          <CompanionApp />
        </Dialog>
      }
    />
  );
}

function CompanionApp() {
  const { t } = useLingui();
  const features = [
    { Icon: HeartPulse, text: t`Real-time heart rate` },
    { Icon: Activity, text: t`Automatic workout detection` },
    { Icon: Dumbbell, text: t`All workout types` },
  ];
  return (
    <>
      <ul className={styles.features}>
        {features.map(({ Icon, text }) => (
          <li key={text}>
            <Icon size={22} aria-hidden="true" />
            {text}
          </li>
        ))}
      </ul>
      <Button isWide onClick={openAppStore}>{t`Download on App Store`}</Button>
    </>
  );
}

/** Where the store is an app it takes over from here; elsewhere this page stays. */
function openAppStore(): void {
  if (isIos(navigator.userAgent, navigator.maxTouchPoints)) location.assign(appStoreLink);
  else window.open(appStoreLink, '_blank', 'noopener');
}
