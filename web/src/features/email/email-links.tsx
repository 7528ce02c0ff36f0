import { useLingui } from '@lingui/react/macro';
import { Link, useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useSession } from '../../lib/session-state.ts';
import { useOnce } from '../../lib/use-once.ts';
import { Button } from '../../ui/button.tsx';
import { NarrowCard } from '../../ui/narrow-card.tsx';
import { useConfirmEmail, useUndoEmail } from './api.ts';
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
  if (kept === '' || confirm.isError)
    return (
      <LinkTrouble
        error={confirm.error}
        otherwise={t`The link could not be opened. Please try again.`}
        hint={t`If your address is not confirmed yet, ask for a new link in your settings.`}
        onRetry={() => confirm.mutate(kept)}
      />
    );
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

/** Opened by a mailed link to the old address: keeps it, or gets it back, after one more press (D54). */
export function UndoEmail({ token }: { token: string }) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const [kept] = useState(token.trim());
  const undo = useUndoEmail();
  useOnce(() => {
    if (kept !== '') void navigate({ to: '/undo-email', search: {}, replace: true });
  });
  if (kept === '' || undo.isError)
    return (
      <LinkTrouble
        error={undo.error}
        otherwise={t`The change could not be undone. Please try again.`}
        hint={t`A change can be undone once, for seven days. After that, please ask an admin of your organization.`}
        onRetry={() => undo.mutate(kept)}
      />
    );
  if (undo.isSuccess) return <Kept />;
  return (
    <NarrowCard
      title={t`Keep your email address?`}
      lead={t`If it was not you who changed it, somebody knows your password. Your account goes back to this address, every device is signed out, and you set a new password.`}
    >
      <Button isWide isBusy={undo.isPending} onClick={() => undo.mutate(kept)}>{t`Keep this address`}</Button>
    </NarrowCard>
  );
}

function Kept() {
  const { t } = useLingui();
  useEffect(() => document.querySelector('h1')?.focus(), []);
  return (
    <NarrowCard
      title={t`Your address is yours again`}
      lead={t`Every device was signed out, and the old password no longer works. We have mailed you a link to set a new one.`}
    >
      <Button asChild isWide>
        <Link to="/forgot-password">{t`No mail? Ask for a link`}</Link>
      </Button>
    </NarrowCard>
  );
}
