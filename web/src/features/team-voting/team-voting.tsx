import { useLingui } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import { Button } from '../../ui/button.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { EmptyState } from '../../ui/states.tsx';

/** No ballot is open (8.13). */
export function TeamVoting() {
  const { t } = useLingui();
  return (
    <Page title={t`Team Voting`} width="text">
      <Card>
        <EmptyState
          title={t`No Active Voting`}
          hint={t`There's no team name voting available at the moment.`}
          action={
            <Button asChild>
              <Link to="/dashboard">{t`Back to the dashboard`}</Link>
            </Button>
          }
        />
      </Card>
    </Page>
  );
}
