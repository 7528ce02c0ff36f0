import type { FitnessProvider } from '@caravan/contracts/http/fitness';
import { Trans, useLingui } from '@lingui/react/macro';
import { EyeOff, History, Undo2 } from 'lucide-react';
import { useId, useState } from 'react';
import { HttpError, serverMessage } from '../../lib/http-error.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Hidden } from '../../ui/text.tsx';
import { toast } from '../../ui/toast-state.ts';
import { useConnect } from './api.ts';
import { type Place, providerNames } from './device.ts';
import styles from './devices.module.css';

/** Leads to the platform, which leads back; where others must not see what comes from there, it asks first (D21). */
export function ConnectButton({
  provider,
  place,
  isOwnersOnly,
  isAgain,
  onRefused,
}: {
  provider: FitnessProvider;
  place: Place;
  isOwnersOnly: boolean;
  isAgain: boolean;
  /** With what the server says of it; undefined where it says nothing. */
  onRefused: (reason: string | undefined) => void;
}) {
  const { t } = useLingui();
  const [isAsking, setAsking] = useState(false);
  const connect = useConnect(provider, place);
  const name = providerNames[provider];
  const leave = (isScored: boolean) =>
    connect.mutate(isScored, {
      onSuccess: (authUrl) => location.assign(authUrl),
      onError: (error) => {
        setAsking(false);
        toast({
          title: t`Connection Failed`,
          description: t`Could not connect to ${name}. Please try again.`,
          tone: 'error',
        });
        onRefused(error instanceof HttpError ? serverMessage(error, '') || undefined : undefined);
      },
    });
  return (
    <>
      <Button
        variant="quiet"
        size="small"
        isBusy={connect.isPending && !isAsking}
        onClick={() => (isOwnersOnly ? setAsking(true) : leave(false))}
      >
        {isAgain ? t`Connect again` : t`Connect`} <Hidden>{name}</Hidden>
      </Button>
      <Dialog
        title={t`Before you go to ${name}`}
        description={t`${name} wants you to decide who sees what you record there.`}
        isOpen={isAsking}
        onOpenChange={setAsking}
      >
        <Consent name={name} isBusy={connect.isPending} onGo={leave} onCancel={() => setAsking(false)} />
      </Dialog>
    </>
  );
}

/** The tick is never set beforehand: it has to be the person's own. */
function Consent({
  name,
  isBusy,
  onGo,
  onCancel,
}: {
  name: string;
  isBusy: boolean;
  onGo: (isScored: boolean) => void;
  onCancel: () => void;
}) {
  const { t } = useLingui();
  const hint = useId();
  const [isScored, setScored] = useState(false);
  const facts = [
    { Icon: EyeOff, text: t`Only you see these workouts. Your team and your admins do not.` },
    { Icon: History, text: t`Caravan reads the last 30 days, then each new workout. It never posts anything there.` },
    { Icon: Undo2, text: t`You can disconnect at any time and take everything back.` },
  ];
  return (
    <div className={styles.consent}>
      <ul className={styles.features}>
        {facts.map(({ Icon, text }) => (
          <li key={text}>
            <Icon size={22} aria-hidden="true" />
            {text}
          </li>
        ))}
      </ul>
      <label className={styles.tick}>
        <input
          type="checkbox"
          checked={isScored}
          aria-describedby={hint}
          onChange={({ target }) => setScored(target.checked)}
        />
        <b>{t`Let my ${name} workouts earn miles`}</b>
        <span id={hint}>
          <Trans>
            Then others see your miles, your streak and your rank grow, but never what you did, when or where. Without
            the tick they earn nothing. You can change this in the settings.
          </Trans>
        </span>
      </label>
      <div className={styles.acts}>
        <Button isBusy={isBusy} onClick={() => onGo(isScored)}>
          {t`Continue to ${name}`}
        </Button>
        <Button variant="quiet" onClick={onCancel}>{t`Cancel`}</Button>
      </div>
    </div>
  );
}
