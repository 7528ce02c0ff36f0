import type { FitnessAccount } from '@caravan/contracts/http/fitness';
import { Trans, useLingui } from '@lingui/react/macro';
import { CircleAlert } from 'lucide-react';
import { useState } from 'react';
import { formatCount } from '../../lib/format.ts';
import { Tag } from '../../ui/button.tsx';
import { Meter } from '../../ui/meter.tsx';
import { Switch } from '../../ui/switch.tsx';
import { toast } from '../../ui/toast-state.ts';
import { useConsent } from './api.ts';
import { ConnectButton } from './connect.tsx';
import { type Place, type Platform, providerNames } from './device.ts';
import { DeviceRow } from './device-row.tsx';
import styles from './devices.module.css';
import { DisconnectButton } from './disconnect.tsx';

/** Strava or Fitbit: connected with whom, or the way there (2.82); on the settings the way back too (D24). */
export function PlatformRow({
  platform,
  place,
  isMeant,
  failure,
  mayBeOwnersOnly,
}: {
  platform: Platform;
  place: Place;
  isMeant: boolean;
  /** Why it was not connected just now. */
  failure: string | undefined;
  /** Who may see it is not known yet: then it is as strict as can be. */
  mayBeOwnersOnly: boolean;
}) {
  const [refusal, setRefusal] = useState<string>();
  const { provider, state, account } = platform;
  const name = providerNames[provider];
  const note = refusal ?? failure;
  const isConnected = state === 'connected';
  const isHere = isConnected || state === 'reconnect';
  return (
    <DeviceRow
      id={provider}
      name={name}
      isMeant={isMeant}
      isLong={state === 'reconnect'}
      tag={isConnected && <ConnectedTag />}
      text={<Standing platform={platform} />}
      action={
        <>
          {(state === 'not-connected' || state === 'reconnect') && (
            <ConnectButton
              provider={provider}
              place={place}
              isOwnersOnly={account ? account.audience === 'owner' : mayBeOwnersOnly}
              isAgain={state === 'reconnect'}
              onRefused={setRefusal}
            />
          )}
          {place === 'settings' && isHere && <DisconnectButton provider={provider} account={account} />}
        </>
      }
    >
      {note !== undefined && !isConnected && (
        <p className={styles.note} role="status">
          <CircleAlert size={18} aria-hidden="true" />
          {note}
        </p>
      )}
      {isConnected && account?.backfill && <Backfill backfill={account.backfill} name={name} />}
      {place === 'settings' && isHere && account?.audience === 'owner' && (
        <ConsentSwitch account={account} name={name} />
      )}
    </DeviceRow>
  );
}

const ConnectedTag = () => (
  <Tag tone="good">
    <Trans>Connected</Trans>
  </Tag>
);

/** Under the name: who one is there, or what connecting would bring. */
function Standing({ platform: { provider, state, userId, account } }: { platform: Platform }) {
  const { t } = useLingui();
  const name = providerNames[provider];
  switch (state) {
    case 'connected':
      return (
        <>
          {userId !== null && <p>{provider === 'strava' ? t`Athlete ID: ${userId}` : t`User ID: ${userId}`}</p>}
          {account?.audience === 'owner' && (
            <p>{account.isScored ? t`Seen by you alone; earns miles.` : t`Seen by you alone; earns no miles.`}</p>
          )}
        </>
      );
    case 'reconnect':
      return (
        <p>
          {t`${name} no longer lets us read your workouts. What was imported stays; connect again and the rest follows.`}
        </p>
      );
    case 'not-set-up':
      return <p>{t`Your administrator has not set up this platform.`}</p>;
    case 'not-connected':
      return (
        <p>
          {provider === 'strava'
            ? t`Runs, rides and swims, as soon as they are on Strava.`
            : t`What your tracker or watch records.`}
        </p>
      );
  }
}

/** The first days, as they come in. */
function Backfill({
  backfill: { daysDone, days },
  name,
}: {
  backfill: NonNullable<FitnessAccount['backfill']>;
  name: string;
}) {
  const { t } = useLingui();
  const done = formatCount(daysDone);
  const all = formatCount(days);
  return (
    <div className={styles.backfill} role="status">
      <p>{t`Fetching your last ${all} days: ${done} done. You can leave this page.`}</p>
      <Meter
        label={t`Workouts from ${name}`}
        share={days > 0 ? daysDone / days : 0}
        valueText={t`${done} of ${all} days`}
      />
    </div>
  );
}

/** The tick of connecting, to be given and taken back at any time (D21). */
function ConsentSwitch({ account: { provider, isScored }, name }: { account: FitnessAccount; name: string }) {
  const { t } = useLingui();
  const { mutate } = useConsent(provider);
  const showFailure = () =>
    toast({ title: t`That could not be changed`, description: t`Please try again.`, tone: 'error' });
  return (
    <div className={styles.switch}>
      <Switch
        label={t`Let my ${name} workouts earn miles`}
        hint={t`Others see your miles, streak and rank, never what you did, when or where. It holds for what was imported before too.`}
        isOn={isScored}
        onChange={(isOn) => mutate(isOn, { onError: showFailure })}
      />
    </div>
  );
}
