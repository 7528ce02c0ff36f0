import type { OwnLog } from '@caravan/contracts/http/movement';
import { useLingui } from '@lingui/react/macro';
import { formatDuration } from '../../lib/format.ts';
import { serverMessage } from '../../lib/http-error.ts';
import { useDistance } from '../../lib/units.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { toast } from '../../ui/toast-state.ts';
import { useRemoveLog } from './api.ts';

/** There is no way back from here, so it says what goes with the log. */
export function RemoveLog({ log, onClose, onRemoved }: { log: OwnLog; onClose: () => void; onRemoved: () => void }) {
  const { t } = useLingui();
  const { figure, long } = useDistance();
  const { mutate, isPending } = useRemoveLog();
  const duration = formatDuration(log.durationMinutes);
  const remove = () =>
    mutate(log.id, {
      onSuccess: () => {
        toast({ title: t`Log deleted`, description: t`Your miles follow.`, tone: 'good' });
        onClose();
        onRemoved();
      },
      onError: (error) => {
        const description = serverMessage(error, t`The log could not be deleted. Please try again.`);
        toast({ title: t`Error`, description, tone: 'error' });
        onClose();
      },
    });
  return (
    <Confirm
      title={t`Delete this log?`}
      description={t`${duration} of ${log.activityType} and the ${figure(log.distanceMiles)} ${long} it earned go, with its post in the feed and whatever rested on it. This cannot be undone.`}
      action={t`Delete`}
      isBusy={isPending}
      onConfirm={remove}
      onClose={onClose}
    />
  );
}
