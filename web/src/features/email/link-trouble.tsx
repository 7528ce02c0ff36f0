import { useLingui } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { HttpError, serverMessage } from '../../lib/http-error.ts';
import { Button } from '../../ui/button.tsx';
import { NarrowCard } from '../../ui/narrow-card.tsx';

const invalid = 422;

/** A mailed link that leads nowhere, and where to go instead; one that merely could not be tried can be tried again. */
export function LinkTrouble({
  error,
  otherwise,
  hint,
  onRetry,
}: {
  /** Null: the link is not complete. */
  error: Error | null;
  otherwise: string;
  hint?: string;
  onRetry: () => void;
}) {
  const { t } = useLingui();
  useEffect(() => document.querySelector('h1')?.focus(), []);
  if (error !== null && !(error instanceof HttpError && error.status === invalid))
    return (
      <NarrowCard title={t`That did not work`} lead={serverMessage(error, otherwise)}>
        <Button isWide onClick={onRetry}>{t`Try again`}</Button>
      </NarrowCard>
    );
  const what = error === null ? t`This link is not complete.` : serverMessage(error, otherwise);
  return (
    <NarrowCard title={t`This link does not work`} lead={hint === undefined ? what : `${what} ${hint}`}>
      <Button asChild isWide>
        <Link to="/settings">{t`Open your settings`}</Link>
      </Button>
    </NarrowCard>
  );
}
