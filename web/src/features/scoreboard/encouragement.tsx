import { Trans, useLingui } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import { useDistance } from '../../lib/units.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import styles from './encouragement.module.css';
import type { Standing } from './standing.ts';

/** How far it is to first place, and what to do about it (2.75). */
export function Encouragement({ standing }: { standing: Standing | null }) {
  const { t } = useLingui();
  return (
    <Card title={t`Keep going`}>
      <p className={styles.main}>{standing ? <ToFirst standing={standing} /> : <NotYet />}</p>
      <div className={styles.action}>
        <Button asChild isWide>
          <Link to="/timer">{t`Start the timer`}</Link>
        </Button>
      </div>
    </Card>
  );
}

const NotYet = () => <Trans>Ten minutes of anything put you on the board.</Trans>;

function ToFirst({ standing: { milesBehindFirst, leadMiles } }: { standing: Standing }) {
  const { figure, long } = useDistance();
  const [behind, lead] = [figure(milesBehindFirst), figure(leadMiles ?? 0)];
  if (milesBehindFirst > 0)
    return (
      <Trans>
        You are{' '}
        <b>
          {behind} {long}
        </b>{' '}
        behind first place.
      </Trans>
    );
  if (!leadMiles) return <Trans>You are in first place.</Trans>;
  return (
    <Trans>
      You lead by{' '}
      <b>
        {lead} {long}
      </b>
      .
    </Trans>
  );
}
