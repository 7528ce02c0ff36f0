import type { Unsubscribed } from '@caravan/contracts/http/deliveries';
import { useLingui } from '@lingui/react/macro';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { unsubscribe } from '../../lib/api/generated/sdk.gen.ts';
import { settingsQuery } from '../../lib/preferences.ts';
import { Button } from '../../ui/button.tsx';
import { NarrowCard } from '../../ui/narrow-card.tsx';
import { LinkTrouble } from './link-trouble.tsx';

/** Opened by a mail, signed in or not. One press, so that nothing which only looks at links does it. */
export function Unsubscribe({ token }: { token: string }) {
  const { t } = useLingui();
  const queryClient = useQueryClient();
  const { mutate, data, error, isError, isPending } = useMutation({
    mutationFn: () => unsubscribe({ query: { token: token.trim() } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: settingsQuery.queryKey }),
  });
  if (token.trim() === '' || isError)
    return (
      <LinkTrouble
        error={error}
        otherwise={t`The mails could not be ended. Please try again.`}
        onRetry={() => mutate()}
      />
    );
  if (data) return <Ended mails={data.mails} />;
  return (
    <NarrowCard
      title={t`No more mails like this?`}
      lead={t`Mails about your account, such as a new password, still reach you.`}
    >
      <Button isWide isBusy={isPending} onClick={() => mutate()}>{t`Unsubscribe`}</Button>
    </NarrowCard>
  );
}

function Ended({ mails }: Unsubscribed) {
  const { t } = useLingui();
  useEffect(() => document.querySelector('h1')?.focus(), []);
  const leads = {
    email: t`Email notifications are off.`,
    teamUpdates: t`Team updates are off.`,
    weeklyReports: t`Weekly reports are off.`,
  } as const;
  return (
    <NarrowCard
      title={t`You are unsubscribed`}
      lead={`${leads[mails]} ${t`You can turn them on again in your settings.`}`}
    >
      <Button asChild isWide>
        <Link to="/settings">{t`Open your settings`}</Link>
      </Button>
    </NarrowCard>
  );
}
