import { useLingui } from '@lingui/react/macro';
import { Link, type LinkProps, useCanGoBack, useNavigate, useRouter } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import { Button } from './button.tsx';

/** The way up from a screen of an area, beside its heading. */
export function BackLink({ to }: { to: NonNullable<LinkProps['to']> }) {
  return (
    <Button asChild variant="quiet" size="small">
      <Link to={to}>
        <BackLabel />
      </Link>
    </Button>
  );
}

/** Where one came from; who came by an address goes to `otherwise`. */
export function Back({ otherwise = '/leaderboard' }: { otherwise?: NonNullable<LinkProps['to']> }) {
  const { history } = useRouter();
  const navigate = useNavigate();
  const canGoBack = useCanGoBack();
  return (
    <Button
      variant="plain"
      size="small"
      onClick={() => (canGoBack ? history.back() : void navigate({ to: otherwise }))}
    >
      <BackLabel />
    </Button>
  );
}

function BackLabel() {
  const { t } = useLingui();
  return (
    <>
      <ArrowLeft size={18} aria-hidden="true" />
      {t`Back`}
    </>
  );
}
