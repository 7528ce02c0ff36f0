import type { FitnessAccount, FitnessProvider } from '@caravan/contracts/http/fitness';
import { plural } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import * as RadioGroup from '@radix-ui/react-radio-group';
import { useId, useState } from 'react';
import { serverMessage } from '../../lib/http-error.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Hidden } from '../../ui/text.tsx';
import { toast } from '../../ui/toast-state.ts';
import { useDisconnect } from './api.ts';
import { providerNames } from './device.ts';
import styles from './devices.module.css';

/** Ends a connection, and asks what becomes of what it brought (D24). */
export function DisconnectButton({
  provider,
  account,
}: {
  provider: FitnessProvider;
  /** What is known of it. */
  account: FitnessAccount | undefined;
}) {
  const { t } = useLingui();
  const [isOpen, setOpen] = useState(false);
  const name = providerNames[provider];
  return (
    <Dialog
      title={t`Disconnect ${name}?`}
      description={t`Nothing new comes in from there any more. You can connect again at any time.`}
      isOpen={isOpen}
      onOpenChange={setOpen}
      trigger={
        <Button variant="quiet" size="small">
          {t`Disconnect`} <Hidden>{name}</Hidden>
        </Button>
      }
    >
      <Choice provider={provider} account={account} onClose={() => setOpen(false)} />
    </Dialog>
  );
}

type Fate = 'keep' | 'delete';

function Choice({
  provider,
  account,
  onClose,
}: {
  provider: FitnessProvider;
  account: FitnessAccount | undefined;
  onClose: () => void;
}) {
  const { t } = useLingui();
  const count = account?.importCount ?? 0;
  // What nobody else may see goes with the permission to have it (D21).
  const isOwnersOnly = account?.audience === 'owner';
  const [fate, setFate] = useState<Fate>(isOwnersOnly ? 'delete' : 'keep');
  const goes = plural(count, {
    0: 'What came from there goes, and what it earned with it.',
    one: '# workout goes, and what it earned with it: totals, streaks and ranks follow.',
    other: '# workouts go, and what they earned with them: totals, streaks and ranks follow.',
  });
  const { mutate, isPending } = useDisconnect(provider);
  const name = providerNames[provider];
  const whatBecame = (removed: number) => {
    if (removed > 0)
      return plural(removed, {
        one: '# imported activity and its miles were taken back.',
        other: '# imported activities and their miles were taken back.',
      });
    return count > 0 && fate === 'keep' ? t`What was imported stays yours, with its miles.` : undefined;
  };
  const disconnect = () =>
    mutate(fate === 'delete', {
      onSuccess: (removed) => {
        const description = whatBecame(removed);
        toast({ title: t`${name} is disconnected`, tone: 'good', ...(description !== undefined && { description }) });
      },
      onError: (error) =>
        toast({
          title: t`Error`,
          description: serverMessage(error, t`${name} could not be disconnected. Please try again.`),
          tone: 'error',
        }),
      onSettled: onClose,
    });
  return (
    <div className={styles.consent}>
      {isOwnersOnly ? (
        <p className={styles.goes}>
          {goes} <Trans>{name} asks for that.</Trans>
        </p>
      ) : (
        <Fates count={count} goes={goes} fate={fate} onFate={setFate} />
      )}
      <div className={styles.acts}>
        <Button variant="danger" isBusy={isPending} onClick={disconnect}>{t`Disconnect`}</Button>
        <Button variant="quiet" onClick={onClose}>{t`Cancel`}</Button>
      </div>
    </div>
  );
}

function Fates({
  count,
  goes,
  fate,
  onFate,
}: {
  count: number;
  goes: string;
  fate: Fate;
  onFate: (fate: Fate) => void;
}) {
  const { t } = useLingui();
  const id = useId();
  const keeps = plural(count, {
    0: 'What came from there stays yours, with what it earned.',
    one: '# workout stays yours, with what it earned.',
    other: '# workouts stay yours, with what they earned.',
  });
  const fates = [
    { value: 'keep', title: t`Keep what was imported`, text: keeps },
    { value: 'delete', title: t`Delete what was imported`, text: goes },
  ];
  return (
    <RadioGroup.Root
      className={styles.fates}
      aria-label={t`What becomes of what was imported?`}
      value={fate}
      onValueChange={(next) => onFate(next as Fate)}
    >
      {fates.map(({ value, title, text }) => (
        <RadioGroup.Item
          key={value}
          value={value}
          className={styles.fate}
          aria-label={title}
          aria-describedby={`${id}-${value}`}
        >
          <b>{title}</b>
          <span id={`${id}-${value}`}>{text}</span>
        </RadioGroup.Item>
      ))}
    </RadioGroup.Root>
  );
}
