import { useLingui } from '@lingui/react/macro';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { serverMessage } from '../../lib/http-error.ts';
import { useOnce } from '../../lib/use-once.ts';
import { useSession } from '../../lib/session-state.ts';
import { Button } from '../../ui/button.tsx';
import { NarrowCard } from '../../ui/narrow-card.tsx';
import { useConfirmEmail } from './api.ts';
import { LinkTrouble } from './link-trouble.tsx';

/** Opened by a mailed link, whose token leaves the address bar at once: the address counts from now on (D54). */
export function ConfirmEmail({ token }: { token: string }) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const [kept] = useState(token.trim());
  const confirm = useConfirmEmail();
  const isSignedIn = useSession().status === 'signed-in';
  useOnce(() => {
    if (kept === '') return;
    void navigate({ to: '/confirm-email', search: {}, replace: true });
    confirm.mutate(kept);
  });
  if (kept === '' || confirm.isError) {
    const said = serverMessage(confirm.error, t`The link could not be opened. Please try again.`);
    return (
      <LinkTrouble
        what={kept === '' ? t`This link is not complete.` : said}
        hint={t`If your address is not confirmed yet, ask for a new link in your settings.`}
      />
    );
  }
  if (!confirm.isSuccess)
    return (
      <NarrowCard title={t`One moment`} lead={t`Your address is being confirmed.`}>
        {null}
      </NarrowCard>
    );
  return (
    <NarrowCard title={t`Your email is confirmed!`} lead={t`It is yours for good: what we tell you reaches you there.`}>
      <Button asChild isWide>
        {isSignedIn ? <Link to="/">{t`Go on`}</Link> : <Link to="/login">{t`Sign In`}</Link>}
      </Button>
    </NarrowCard>
  );
}
