import { useLingui } from '@lingui/react/macro';
import { useCanGoBack, useNavigate, useRouter } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import { Button } from './button.tsx';

/** Where one came from; who came by an address goes to the scoreboard. */
export function Back() {
  const { t } = useLingui();
  const { history } = useRouter();
  const navigate = useNavigate();
  const canGoBack = useCanGoBack();
  return (
    <Button
      variant="plain"
      size="small"
      onClick={() => (canGoBack ? history.back() : void navigate({ to: '/leaderboard' }))}
    >
      <ArrowLeft size={18} aria-hidden="true" />
      {t`Back`}
    </Button>
  );
}
