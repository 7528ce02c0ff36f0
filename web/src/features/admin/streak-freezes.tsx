import { useLingui } from '@lingui/react/macro';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { switchStreakFreezes } from '../../lib/api/generated/sdk.gen.ts';
import { serverMessage } from '../../lib/http-error.ts';
import { sendAnew } from '../../lib/keyed-requests.ts';
import { isUnanswered } from '../../lib/latest.ts';
import { meQuery } from '../../lib/me.ts';
import { Card } from '../../ui/page.tsx';
import { Switch } from '../../ui/switch.tsx';
import { toast } from '../../ui/toast-state.ts';

/** Whether a missed day may use up a freeze instead of ending a streak (D11). Saved at once. */
export function StreakFreezes() {
  const { t } = useLingui();
  const { data: me } = useQuery(meQuery);
  const queryClient = useQueryClient();
  const { mutate, isPending, variables } = useSwitchStreakFreezes();
  if (!me) return null;
  const switchTo = (isOn: boolean) => {
    // One switch at a time: the last one pressed must be the last one stored.
    if (isPending) return;
    const saySwitched = () =>
      toast({ title: isOn ? t`Streak freezes are on` : t`Streak freezes are off`, tone: 'good' });
    mutate(isOn, {
      onSuccess: saySwitched,
      onError: (error) => {
        const now = queryClient.getQueryData(meQuery.queryKey);
        if (isUnanswered(error) && now && (now.streakFreezes !== null) === isOn) return saySwitched();
        toast({
          title: t`Not switched`,
          description: serverMessage(error, t`That did not work. Please try again later.`),
          tone: 'error',
        });
      },
    });
  };
  return (
    <Card>
      <Switch
        label={t`Streak freezes`}
        hint={t`A missed day uses up a freeze instead of ending the streak; everybody gets one a week and saves two at most.`}
        isOn={isPending ? variables : me.streakFreezes !== null}
        onChange={switchTo}
      />
    </Card>
  );
}

/** Lets freezes hold everybody's streaks or not (D11); one's own streak has followed when this has ended. */
function useSwitchStreakFreezes() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (hasFreezes: boolean) => sendAnew({ body: { hasFreezes } }, switchStreakFreezes),
    // The switch may have been stored although its answer was lost.
    onSettled: () => queryClient.invalidateQueries({ queryKey: meQuery.queryKey }),
  });
}
