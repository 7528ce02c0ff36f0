import { useLingui } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import { Button } from '../../ui/button.tsx';
import { Stack } from '../../ui/page.tsx';
import { Strip } from './strip.tsx';

/** On the own profile: what one has earned, and the way to everything else. */
export function BadgesOfMine() {
  const { t } = useLingui();
  return (
    <Stack>
      <Strip />
      <Button asChild variant="quiet">
        <Link to="/badges">{t`To the badge gallery`}</Link>
      </Button>
    </Stack>
  );
}
