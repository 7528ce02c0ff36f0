import { useLingui } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import { Button } from '../../ui/button.tsx';
import { NarrowCard } from '../../ui/narrow-card.tsx';

/** A mailed link that leads nowhere, and where to go instead. */
export function LinkTrouble({ what, hint }: { what: string; hint: string }) {
  const { t } = useLingui();
  return (
    <NarrowCard title={t`This link does not work`} lead={`${what} ${hint}`}>
      <Button asChild isWide>
        <Link to="/settings">{t`Open your settings`}</Link>
      </Button>
    </NarrowCard>
  );
}
