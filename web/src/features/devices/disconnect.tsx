import type { FitnessProvider } from '@caravan/contracts/http/fitness';
import { plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { RadioGroup } from 'radix-ui';
import { useState } from 'react';
import { serverMessage } from '../../lib/http-error.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Hidden } from '../../ui/text.tsx';
import { toast } from '../../ui/toast-state.ts';
import { useDisconnect } from './api.ts';
import { providerNames } from './device.ts';
import styles from './devices.module.css';

/** Ends a connection, and asks what becomes of what it brought (D24). */
export function DisconnectButton({ provider, importCount }: { provider: FitnessProvider; importCount: number }) {
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
      <Choice provider={provider} importCount={importCount} onClose={() => setOpen(false)} />
    </Dialog>
  );
}

type Fate = 'keep' | 'delete';

function Choice({
  provider,
  importCount,
  onClose,
}: {
  provider: FitnessProvider;
  importCount: number;
  onClose: () => void;
}) {
  const { t } = useLingui();
  const [fate, setFate] = useState<Fate>('keep');
  const { mutate, isPending } = useDisconnect(provider);
  const name = providerNames[provider];
  const disconnect = () =>
    mutate(fate === 'delete', {
      onSuccess: (removed) =>
        toast({
          title: t`${name} is disconnected`,
          tone: 'good',
          ...(removed > 0 && {
            description: plural(removed, { one: '# workout is deleted.', other: '# workouts are deleted.' }),
          }),
        }),
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
      {importCount > 0 && <Fates count={importCount} fate={fate} onFate={setFate} />}
      <div className={styles.acts}>
        <Button variant="danger" isBusy={isPending} onClick={disconnect}>{t`Disconnect`}</Button>
        <Button variant="quiet" onClick={onClose}>{t`Cancel`}</Button>
      </div>
    </div>
  );
}

function Fates({ count, fate, onFate }: { count: number; fate: Fate; onFate: (fate: Fate) => void }) {
  const { t } = useLingui();
  const keeps = plural(count, {
    one: '# workout stays yours, with what it earned.',
    other: '# workouts stay yours, with what they earned.',
  });
  const goes = plural(count, {
    one: '# workout goes, and what it earned with it: totals, streaks and ranks follow.',
    other: '# workouts go, and what they earned with them: totals, streaks and ranks follow.',
  });
  return (
    <RadioGroup.Root
      className={styles.fates}
      aria-label={t`What becomes of what was imported?`}
      value={fate}
      onValueChange={(next) => onFate(next as Fate)}
    >
      <RadioGroup.Item value="keep" className={styles.fate}>
        <b>{t`Keep what was imported`}</b>
        <span>{keeps}</span>
      </RadioGroup.Item>
      <RadioGroup.Item value="delete" className={styles.fate}>
        <b>{t`Delete what was imported`}</b>
        <span>{goes}</span>
      </RadioGroup.Item>
    </RadioGroup.Root>
  );
}
