import type { OwnLog } from '@caravan/contracts/http/movement';
import { useLingui } from '@lingui/react/macro';
import { serverMessage } from '../../lib/http-error.ts';
import { sourceWords } from '../../lib/source-words.ts';
import { Button } from '../../ui/button.tsx';
import { Hidden } from '../../ui/text.tsx';
import { toast } from '../../ui/toast-state.ts';
import { useCountLog } from './api.ts';

type Names = { readonly log: OwnLog; readonly when: string; readonly whenOf: (startedAt: string) => string };

/** Names the log that counts for the same workout, and lets its owner decide otherwise (D25). */
export function SameWorkout({ log, when, whenOf, isChangeable }: Names & { readonly isChangeable: boolean }) {
  const { t, i18n } = useLingui();
  const { isCounted, countsByWord, sameAs, isImported } = log;
  if (isCounted && countsByWord !== true) return null;
  const source = sameAs && sourceWords(sameAs.source);
  const activity = sameAs?.activityType ?? '';
  const from = source ? i18n._(source) : (sameAs?.source ?? '');
  const at = sameAs ? whenOf(sameAs.startedAt) : '';
  return (
    <>
      {!isCounted && (
        <p>
          {sameAs
            ? t`The same workout already counts: ${activity} from ${from}, ${at}.`
            : t`It does not count, because you said so.`}
        </p>
      )}
      {isChangeable && !isImported && <CountButton log={log} when={when} />}
    </>
  );
}

function CountButton({ log: { id, activityType, isCounted, sameAs }, when }: Pick<Names, 'log' | 'when'>) {
  const { t } = useLingui();
  const { mutate, isPending } = useCountLog(id);
  const change = () =>
    mutate(!isCounted, {
      onSuccess: () => toast({ title: isCounted ? t`It does not count any more` : t`It counts now`, tone: 'good' }),
      onError: (error) =>
        toast({
          title: t`That could not be changed`,
          description: serverMessage(error, t`Please try again.`),
          tone: 'error',
        }),
    });
  const countIt = sameAs ? t`Count it too` : t`Count it`;
  return (
    <Button variant="quiet" size="small" isBusy={isPending} onClick={change}>
      {isCounted ? t`Do not count it` : countIt}
      <Hidden>
        : {activityType}, {when}
      </Hidden>
    </Button>
  );
}
