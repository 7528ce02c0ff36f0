import { useLingui } from '@lingui/react/macro';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type PushHere as State, pushHere, turnPushOff, turnPushOn } from '../../lib/push.ts';
import { Button } from '../../ui/button.tsx';
import { toast } from '../../ui/toast-state.ts';
import styles from './settings.module.css';

const pushHereQuery = { queryKey: ['/api/push/key', 'here'], queryFn: pushHere, retry: false, staleTime: 0 };

/** What pushes wait for on this very device, and the press that changes it. At once, without saving. */
export function PushHere() {
  const { t } = useLingui();
  const queryClient = useQueryClient();
  const { data: state } = useQuery(pushHereQuery);
  const change = useMutation({
    mutationFn: (isOn: boolean) => (isOn ? turnPushOn() : turnPushOff()),
    onSuccess: (next) => queryClient.setQueryData<State>(pushHereQuery.queryKey, next),
    onError: () =>
      toast({
        title: t`Error`,
        description: t`This browser’s push service could not be reached. Please try again later.`,
        tone: 'error',
      }),
  });
  const said = {
    unsupported: t`This browser cannot show notifications of the app.`,
    uninstalled: t`On an iPhone or iPad, notifications come to apps on the Home Screen. Press Share, then “Add to Home Screen”, and open Caravan from there.`,
    refused: t`This browser blocks notifications. Allow them for this page in the browser’s settings.`,
    off: t`This device shows none yet.`,
    on: t`This device shows them.`,
  } as const;
  if (!state) return null;
  return (
    <div className={styles.pushHere} aria-live="polite">
      <p className={styles.hint}>{said[state]}</p>
      {(state === 'off' || state === 'on') && (
        <Button variant="quiet" size="small" isBusy={change.isPending} onClick={() => change.mutate(state === 'off')}>
          {state === 'off' ? t`Allow on this device` : t`Stop on this device`}
        </Button>
      )}
    </div>
  );
}
