import { useLingui } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useSession } from '../../lib/session-state.ts';
import { Button } from '../../ui/button.tsx';
import { Page } from '../../ui/page.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { PublicFrame } from './public-frame.tsx';
import { Shell } from './shell.tsx';

/** Any path that leads nowhere, signed in or out. */
export function NotFound({ bell }: { bell: ReactNode }) {
  const { t } = useLingui();
  const { status, user } = useSession();
  const isSignedIn = status === 'signed-in';
  const content = (
    <Page title={t`Page Not Found`} width="text">
      <EmptyState
        title={t`The trail does not lead here.`}
        hint={t`The address may be mistyped, or the page has moved on.`}
        action={
          <Button asChild>
            {isSignedIn ? (
              <Link to="/dashboard">{t`Back to the dashboard`}</Link>
            ) : (
              <Link to="/login">{t`Sign in`}</Link>
            )}
          </Button>
        }
      />
    </Page>
  );
  return isSignedIn ? (
    <Shell user={user} bell={bell}>
      {content}
    </Shell>
  ) : (
    <PublicFrame>{content}</PublicFrame>
  );
}
