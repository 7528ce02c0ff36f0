import { useLingui } from '@lingui/react/macro';
import { Button } from './button.tsx';
import { Page } from './page.tsx';
import { ErrorState } from './states.tsx';

/** What a screen shows when it broke. */
export function Broken({ reset }: { reset?: () => void }) {
  const { t } = useLingui();
  return (
    <Page title={t`Something went wrong`} width="text">
      <ErrorState
        title={t`This screen stumbled.`}
        hint={t`Your miles are safe. Loading it again usually helps.`}
        onRetry={reset}
      />
      <p style={{ textAlign: 'center' }}>
        <Button asChild variant="plain">
          <a href="/dashboard">{t`Back to the dashboard`}</a>
        </Button>
      </p>
    </Page>
  );
}
